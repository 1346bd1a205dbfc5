// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title What the platform's contracts share: one token, the same roles, and transfers that are what they say.
abstract contract PlatformBase is AccessControl, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");

    /// @notice The only token this contract keeps books of. Any other that is sent here is out of reach for ever.
    IERC20 public immutable asset;

    error ZeroAddress();
    error ZeroAmount();
    error InvalidRecipient(address recipient);
    error UnexpectedAmountReceived(uint256 expected, uint256 received);

    constructor(IERC20 asset_, address admin) {
        if (address(asset_) == address(0) || admin == address(0)) revert ZeroAddress();
        asset = asset_;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }

    /// @dev The books are written before the tokens move, so a token that keeps a fee for itself has to be refused:
    /// otherwise the books would promise more than there is.
    function _pull(address payer, uint256 amount) internal {
        uint256 balanceBefore = asset.balanceOf(address(this));
        asset.safeTransferFrom(payer, address(this), amount);
        uint256 received = asset.balanceOf(address(this)) - balanceBefore;
        if (received != amount) revert UnexpectedAmountReceived(amount, received);
    }

    function _send(address recipient, uint256 amount) internal {
        asset.safeTransfer(recipient, amount);
    }

    /// @dev A payment to the contract itself would leave the books without leaving the contract.
    function _requireOutside(address recipient) internal view {
        if (recipient == address(0) || recipient == address(this)) revert InvalidRecipient(recipient);
    }

    function _requireAmount(uint256 amount) internal pure {
        if (amount == 0) revert ZeroAmount();
    }
}
