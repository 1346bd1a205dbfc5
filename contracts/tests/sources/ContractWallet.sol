// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A wallet that is a contract. It knows nothing of receipts: a token that asks whether it may come is refused.
contract ContractWallet {
    function execute(address target, bytes calldata call) external {
        (bool isDone, bytes memory answer) = target.call(call);
        if (isDone) return;
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }
}
