// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {RateLimiter} from "@openzeppelin/contracts/utils/RateLimiter.sol";
import {PlatformBase} from "./PlatformBase.sol";

/// @title The tokens behind the futures accounts.
/// @notice Money comes in as deposits of traders and as contributions of the platform; the operator pays withdrawals
/// and payouts, each id once, within a limit for any 24 hours.
contract Vault is PlatformBase {
    using RateLimiter for RateLimiter.SlidingWindow;

    struct BalanceSheet {
        uint256 deposited;
        uint256 contributed;
        uint256 withdrawn;
        uint256 paidOut;
        /// What came in by the two ways and has not gone out by the other two.
        uint256 booked;
        /// The tokens that are here: more than booked when someone sent some without depositing them.
        uint256 balance;
    }

    uint48 private constant LIMIT_WINDOW_SECONDS = 1 days;
    /// @dev Withdrawals and payouts draw on one limit, so there is one counter.
    bytes32 private constant OUTFLOW = "outflow";

    uint256 public totalDeposited;
    uint256 public totalContributed;
    uint256 public totalWithdrawn;
    uint256 public totalPaidOut;
    /// @notice The most that may leave within any 24 hours; 0 is no limit.
    uint256 public outflowLimit;
    bool public areDepositsPaused;
    bool public arePaymentsPaused;

    mapping(bytes32 purpose => uint256) public contributedFor;
    mapping(bytes32 id => bool) public isWithdrawalPaid;
    mapping(bytes32 id => bool) public isPayoutPaid;
    RateLimiter.SlidingWindow private _outflow;

    event Deposited(
        address indexed account,
        address indexed payer,
        uint256 amount,
        uint256 oldTotalDeposited,
        uint256 newTotalDeposited
    );
    event Contributed(
        bytes32 indexed purpose,
        address indexed payer,
        uint256 amount,
        uint256 oldContributedFor,
        uint256 newContributedFor
    );
    event Withdrawn(
        bytes32 indexed id,
        address indexed to,
        uint256 amount,
        uint256 oldTotalWithdrawn,
        uint256 newTotalWithdrawn
    );
    event PaidOut(
        bytes32 indexed id,
        address indexed to,
        uint256 amount,
        uint256 oldTotalPaidOut,
        uint256 newTotalPaidOut
    );
    event OutflowLimitChanged(uint256 oldLimit, uint256 newLimit);
    event DepositsPausedChanged(bool oldPaused, bool newPaused);
    event PaymentsPausedChanged(bool oldPaused, bool newPaused);

    error DepositsPaused();
    error PaymentsPaused();
    error WithdrawalAlreadyPaid(bytes32 id);
    error PayoutAlreadyPaid(bytes32 id);
    error InsufficientFunds(uint256 amount, uint256 booked);
    error OutflowLimitExceeded(uint256 amount, uint256 remaining);

    constructor(IERC20 asset_, address admin) PlatformBase(asset_, admin) {
        _setOutflowLimit(0);
    }

    function deposit(uint256 amount) external nonReentrant {
        _deposit(msg.sender, amount);
    }

    /// @notice Credits another account than the payer's.
    function depositFor(address account, uint256 amount) external nonReentrant {
        if (account == address(0)) revert ZeroAddress();
        _deposit(account, amount);
    }

    /// @notice Pays in what is no trader's deposit: the insurance fund's seed, consumed bonus.
    function contribute(bytes32 purpose, uint256 amount) external nonReentrant {
        _requireAmount(amount);
        uint256 oldContributedFor = contributedFor[purpose];
        contributedFor[purpose] = oldContributedFor + amount;
        totalContributed += amount;
        emit Contributed(purpose, msg.sender, amount, oldContributedFor, oldContributedFor + amount);
        _pull(msg.sender, amount);
    }

    /// @notice Pays a trader. The id makes a repetition harmless: it is refused.
    function withdraw(bytes32 id, address to, uint256 amount) external nonReentrant onlyRole(OPERATOR_ROLE) {
        if (isWithdrawalPaid[id]) revert WithdrawalAlreadyPaid(id);
        _checkPayment(to, amount);
        isWithdrawalPaid[id] = true;
        uint256 oldTotalWithdrawn = totalWithdrawn;
        totalWithdrawn = oldTotalWithdrawn + amount;
        emit Withdrawn(id, to, amount, oldTotalWithdrawn, oldTotalWithdrawn + amount);
        _send(to, amount);
    }

    /// @notice Moves fee income out. Its ids have nothing to do with those of withdrawals.
    function payout(bytes32 id, address to, uint256 amount) external nonReentrant onlyRole(OPERATOR_ROLE) {
        if (isPayoutPaid[id]) revert PayoutAlreadyPaid(id);
        _checkPayment(to, amount);
        isPayoutPaid[id] = true;
        uint256 oldTotalPaidOut = totalPaidOut;
        totalPaidOut = oldTotalPaidOut + amount;
        emit PaidOut(id, to, amount, oldTotalPaidOut, oldTotalPaidOut + amount);
        _send(to, amount);
    }

    /// @notice What left within the last 24 hours counts at once, whatever the limit was then.
    function setOutflowLimit(uint208 newLimit) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setOutflowLimit(newLimit);
    }

    function setDepositsPaused(bool newPaused) external onlyRole(PAUSER_ROLE) {
        emit DepositsPausedChanged(areDepositsPaused, newPaused);
        areDepositsPaused = newPaused;
    }

    function setPaymentsPaused(bool newPaused) external onlyRole(PAUSER_ROLE) {
        emit PaymentsPausedChanged(arePaymentsPaused, newPaused);
        arePaymentsPaused = newPaused;
    }

    function balanceSheet() external view returns (BalanceSheet memory) {
        return
            BalanceSheet({
                deposited: totalDeposited,
                contributed: totalContributed,
                withdrawn: totalWithdrawn,
                paidOut: totalPaidOut,
                booked: bookedBalance(),
                balance: asset.balanceOf(address(this))
            });
    }

    /// @notice What left within the last 24 hours, and how much more may leave now.
    function outflow() external view returns (uint256 used, uint256 remaining) {
        return _outflow.state(OUTFLOW);
    }

    function bookedBalance() public view returns (uint256) {
        return totalDeposited + totalContributed - totalWithdrawn - totalPaidOut;
    }

    function _deposit(address account, uint256 amount) private {
        if (areDepositsPaused) revert DepositsPaused();
        _requireAmount(amount);
        uint256 oldTotalDeposited = totalDeposited;
        totalDeposited = oldTotalDeposited + amount;
        emit Deposited(account, msg.sender, amount, oldTotalDeposited, oldTotalDeposited + amount);
        _pull(msg.sender, amount);
    }

    function _checkPayment(address to, uint256 amount) private {
        if (arePaymentsPaused) revert PaymentsPaused();
        _requireAmount(amount);
        _requireOutside(to);
        uint256 booked = bookedBalance();
        if (amount > booked) revert InsufficientFunds(amount, booked);
        if (!_outflow.tryConsume(OUTFLOW, amount)) {
            revert OutflowLimitExceeded(amount, _outflow.available(OUTFLOW));
        }
    }

    function _setOutflowLimit(uint208 newLimit) private {
        emit OutflowLimitChanged(outflowLimit, newLimit);
        outflowLimit = newLimit;
        _outflow.updateSettings(LIMIT_WINDOW_SECONDS, newLimit == 0 ? type(uint208).max : newLimit);
    }
}
