// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A contract the compiler warns of.
contract Shadowing {
    uint256 public amount;

    function set(uint256 amount) external {
        amount += 1;
    }
}
