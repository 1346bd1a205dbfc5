// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Checkpoints} from "@openzeppelin/contracts/utils/structs/Checkpoints.sol";
import {PlatformBase} from "./PlatformBase.sol";

/// @title The tokens behind the futures accounts.
/// @notice Money comes in as deposits of traders and as contributions of the platform; the operator pays withdrawals
/// and payouts, each id once, within a limit for any 24 hours, against which deposits count.
contract Vault is PlatformBase {
    using Checkpoints for Checkpoints.Trace208;
    using SafeCast for uint256;

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

    uint256 private constant LIMIT_WINDOW_SECONDS = 1 days;

    uint256 public totalDeposited;
    uint256 public totalContributed;
    uint256 public totalWithdrawn;
    uint256 public totalPaidOut;
    /// @notice The most that may leave within any 24 hours beyond what was deposited in them; 0 is no limit.
    uint256 public outflowLimit;
    bool public areDepositsPaused;
    bool public arePaymentsPaused;

    mapping(bytes32 purpose => uint256) public contributedFor;
    mapping(bytes32 id => bool) public isWithdrawalPaid;
    mapping(bytes32 id => bool) public isPayoutPaid;
    /// @dev Running totals by time. What withdrawals and payouts have used of the limit, and what deposits gave back.
    Checkpoints.Trace208 private _used;
    Checkpoints.Trace208 private _returned;

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

    /// @notice What left within the last 24 hours less what was deposited in them, but not below minus the limit, and
    /// how much more may leave now.
    function outflow() external view returns (int256 used, uint256 remaining) {
        uint256 limit = outflowLimit;
        used = _netOutflow();
        if (limit == 0) return (used, type(uint256).max);
        if (used < -int256(limit)) used = -int256(limit);
        remaining = _remaining(used, limit);
    }

    function bookedBalance() public view returns (uint256) {
        return totalDeposited + totalContributed - totalWithdrawn - totalPaidOut;
    }

    function _deposit(address account, uint256 amount) private {
        if (areDepositsPaused) revert DepositsPaused();
        _requireAmount(amount);
        uint256 oldTotalDeposited = totalDeposited;
        totalDeposited = oldTotalDeposited + amount;
        _giveBack(amount);
        emit Deposited(account, msg.sender, amount, oldTotalDeposited, oldTotalDeposited + amount);
        _pull(msg.sender, amount);
    }

    function _checkPayment(address to, uint256 amount) private {
        if (arePaymentsPaused) revert PaymentsPaused();
        _requireAmount(amount);
        _requireOutside(to);
        uint256 booked = bookedBalance();
        if (amount > booked) revert InsufficientFunds(amount, booked);
        _use(amount);
    }

    function _setOutflowLimit(uint208 newLimit) private {
        emit OutflowLimitChanged(outflowLimit, newLimit);
        outflowLimit = newLimit;
    }

    /// @dev A payment. What older payments that have left the window would lower the net below minus the limit by is
    /// used up with it: no more than twice the limit leaves without another deposit.
    function _use(uint256 amount) private {
        uint256 limit = outflowLimit;
        uint256 used = amount;
        if (limit > 0) {
            int256 net = _netOutflow();
            int256 lowest = -int256(limit);
            if (net < lowest) {
                used += uint256(lowest - net);
                net = lowest;
            }
            uint256 remaining = _remaining(net, limit);
            if (amount > remaining) revert OutflowLimitExceeded(amount, remaining);
        }
        _add(_used, used);
    }

    /// @dev A deposit. It counts as far as it lowers the net to minus the limit.
    function _giveBack(uint256 amount) private {
        uint256 limit = outflowLimit;
        uint256 given = amount;
        if (limit > 0) {
            int256 room = _netOutflow() + int256(limit);
            given = room > 0 ? Math.min(amount, uint256(room)) : 0;
        }
        if (given > 0) _add(_returned, given);
    }

    function _add(Checkpoints.Trace208 storage trace, uint256 amount) private {
        trace.push(uint48(block.timestamp), (trace.latest() + amount).toUint208());
    }

    /// @dev Both totals have 208 bits, so nothing overflows; so does the limit.
    function _netOutflow() private view returns (int256) {
        return int256(_withinWindow(_used)) - int256(_withinWindow(_returned));
    }

    function _withinWindow(Checkpoints.Trace208 storage trace) private view returns (uint256) {
        uint48 before = uint48(Math.saturatingSub(block.timestamp, LIMIT_WINDOW_SECONDS));
        return trace.latest() - trace.upperLookupRecent(before);
    }

    function _remaining(int256 net, uint256 limit) private pure returns (uint256) {
        return net >= int256(limit) ? 0 : uint256(int256(limit) - net);
    }
}
