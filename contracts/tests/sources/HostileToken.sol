// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A token that does what no token should: it asks nobody's leave, may keep a fee, may say no without failing, and
/// may call back, in the middle of a transfer, whatever it was told to.
contract HostileToken {
    mapping(address holder => uint256) public balanceOf;
    uint256 public fee;
    bool public isRefusing;
    address private _target;
    bytes private _call;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function setFee(uint256 newFee) external {
        fee = newFee;
    }

    function setRefusing(bool newRefusing) external {
        isRefusing = newRefusing;
    }

    function callBack(address target, bytes calldata call) external {
        _target = target;
        _call = call;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        return _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        if (isRefusing) return false;
        balanceOf[from] -= amount;
        balanceOf[to] += amount - fee;
        if (_target == address(0)) return true;
        (bool isDone, bytes memory answer) = _target.call(_call);
        if (isDone) return true;
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }
}
