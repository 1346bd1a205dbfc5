// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {PlatformBase} from "./PlatformBase.sol";

/// @title Referral codes, the affiliates' tiers, and the rebates the platform has paid in for its users.
contract ReferralRebate is PlatformBase, Pausable {
    struct TierTerms {
        /// The part of a trader's fee that is given away, to the trader and the affiliate together.
        uint16 totalBps;
        /// The trader's share of that part.
        uint16 discountShareBps;
    }

    struct Account {
        uint256 credited;
        uint256 claimed;
        uint64 nonce;
        uint8 tier;
        bytes32 code;
    }

    struct UserRebate {
        uint256 credited;
        uint256 claimed;
        uint64 nonce;
        bytes32 code;
        address referrer;
        uint8 tier;
    }

    struct TraderReferral {
        bytes32 code;
        address referrer;
        uint16 totalBps;
        uint16 discountBps;
        uint16 affiliateBps;
    }

    uint8 public constant TIER_COUNT = 5;
    uint256 public constant MAX_BATCH_SIZE = 200;
    uint16 private constant WHOLE_BPS = 10_000;

    uint256 public totalCredited;
    uint256 public totalClaimed;

    TierTerms[TIER_COUNT] private _tiers;
    mapping(bytes32 code => address owner) public codeOwner;
    mapping(bytes32 batchId => bool) public isBatchSynced;
    mapping(address user => Account) private _accounts;

    event CodeRegistered(bytes32 indexed code, address indexed owner);
    event CodeUsed(
        address indexed trader,
        bytes32 oldCode,
        bytes32 indexed newCode,
        address oldReferrer,
        address indexed newReferrer
    );
    event TierChanged(address indexed affiliate, uint8 oldTier, uint8 newTier);
    event TierTermsChanged(
        uint8 indexed tier,
        uint16 oldTotalBps,
        uint16 oldDiscountShareBps,
        uint16 newTotalBps,
        uint16 newDiscountShareBps
    );
    event RebateCredited(
        bytes32 indexed batchId,
        address indexed user,
        uint256 amount,
        uint256 oldCredited,
        uint256 newCredited
    );
    event BatchSynced(bytes32 indexed batchId, address indexed operator, uint256 userCount, uint256 total);
    event RebateClaimed(address indexed user, uint256 amount, uint256 oldClaimed, uint256 newClaimed, uint64 nonce);

    error EmptyCode();
    error CodeTaken(bytes32 code);
    error UnknownCode(bytes32 code);
    error OwnCode(bytes32 code);
    error CodeUnchanged(bytes32 code);
    error InvalidTier(uint8 tier);
    error InvalidTierTerms(uint16 totalBps, uint16 discountShareBps);
    error BatchAlreadySynced(bytes32 batchId);
    error InvalidBatchSize(uint256 users, uint256 amounts);
    error NothingToClaim(address user);

    constructor(IERC20 asset_, address admin) PlatformBase(asset_, admin) {
        _setTierTerms(0, 1_000, 5_000);
        _setTierTerms(1, 1_500, 5_000);
        _setTierTerms(2, 2_000, 5_000);
        _setTierTerms(3, 2_500, 4_000);
        _setTierTerms(4, 3_000, 4_000);
    }

    /// @notice Makes the caller the code's owner, for good.
    function registerCode(bytes32 code) external whenNotPaused {
        if (code == bytes32(0)) revert EmptyCode();
        if (codeOwner[code] != address(0)) revert CodeTaken(code);
        codeOwner[code] = msg.sender;
        emit CodeRegistered(code, msg.sender);
    }

    /// @notice Binds the caller to a code, in the place of the one before.
    function useCode(bytes32 code) external whenNotPaused {
        address referrer = codeOwner[code];
        if (referrer == address(0)) revert UnknownCode(code);
        if (referrer == msg.sender) revert OwnCode(code);
        Account storage trader = _accounts[msg.sender];
        bytes32 oldCode = trader.code;
        if (oldCode == code) revert CodeUnchanged(code);
        trader.code = code;
        emit CodeUsed(msg.sender, oldCode, code, codeOwner[oldCode], referrer);
    }

    function setTier(address affiliate, uint8 tier) external onlyRole(OPERATOR_ROLE) {
        if (affiliate == address(0)) revert ZeroAddress();
        _requireTier(tier);
        emit TierChanged(affiliate, _accounts[affiliate].tier, tier);
        _accounts[affiliate].tier = tier;
    }

    function setTierTerms(
        uint8 tier,
        uint16 totalBps,
        uint16 discountShareBps
    ) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setTierTerms(tier, totalBps, discountShareBps);
    }

    /// @notice Credits users with rebates and takes the tokens for them from the caller. A batch is taken once.
    function syncRebates(
        bytes32 batchId,
        address[] calldata users,
        uint256[] calldata amounts
    ) external nonReentrant whenNotPaused onlyRole(OPERATOR_ROLE) {
        if (users.length == 0 || users.length > MAX_BATCH_SIZE || users.length != amounts.length) {
            revert InvalidBatchSize(users.length, amounts.length);
        }
        if (isBatchSynced[batchId]) revert BatchAlreadySynced(batchId);
        isBatchSynced[batchId] = true;
        uint256 total;
        for (uint256 i = 0; i < users.length; ++i) {
            total += amounts[i];
            _credit(batchId, users[i], amounts[i]);
        }
        totalCredited += total;
        emit BatchSynced(batchId, msg.sender, users.length, total);
        _pull(msg.sender, total);
    }

    /// @notice Pays the caller what it was credited with and has not claimed. It works in a pause as well.
    function claim() external nonReentrant {
        Account storage claimant = _accounts[msg.sender];
        uint256 oldClaimed = claimant.claimed;
        uint256 newClaimed = claimant.credited;
        if (newClaimed == oldClaimed) revert NothingToClaim(msg.sender);
        uint256 amount = newClaimed - oldClaimed;
        uint64 nonce = claimant.nonce + 1;
        claimant.claimed = newClaimed;
        claimant.nonce = nonce;
        totalClaimed += amount;
        emit RebateClaimed(msg.sender, amount, oldClaimed, newClaimed, nonce);
        _send(msg.sender, amount);
    }

    /// @notice Stops codes and batches. What was credited can be claimed all the same.
    function pause() external onlyRole(PAUSER_ROLE) {
        _pause();
    }

    function unpause() external onlyRole(PAUSER_ROLE) {
        _unpause();
    }

    function tierTerms(uint8 tier) external view returns (TierTerms memory) {
        _requireTier(tier);
        return _tiers[tier];
    }

    function isOperator(address account) external view returns (bool) {
        return hasRole(OPERATOR_ROLE, account);
    }

    function userRebate(address user) external view returns (UserRebate memory) {
        Account storage found = _accounts[user];
        return
            UserRebate({
                credited: found.credited,
                claimed: found.claimed,
                nonce: found.nonce,
                code: found.code,
                referrer: codeOwner[found.code],
                tier: found.tier
            });
    }

    /// @notice What a trader's code gives, by the tier its owner has now. All zeros without a code.
    function traderReferral(address trader) external view returns (TraderReferral memory referral) {
        referral.code = _accounts[trader].code;
        if (referral.code == bytes32(0)) return referral;
        referral.referrer = codeOwner[referral.code];
        TierTerms memory terms = _tiers[_accounts[referral.referrer].tier];
        referral.totalBps = terms.totalBps;
        // Rounded down: a fraction of a basis point goes to the affiliate.
        referral.discountBps = uint16((uint256(terms.totalBps) * terms.discountShareBps) / WHOLE_BPS);
        referral.affiliateBps = terms.totalBps - referral.discountBps;
    }

    function _credit(bytes32 batchId, address user, uint256 amount) private {
        if (user == address(0)) revert ZeroAddress();
        _requireAmount(amount);
        uint256 oldCredited = _accounts[user].credited;
        _accounts[user].credited = oldCredited + amount;
        emit RebateCredited(batchId, user, amount, oldCredited, oldCredited + amount);
    }

    function _setTierTerms(uint8 tier, uint16 totalBps, uint16 discountShareBps) private {
        _requireTier(tier);
        if (totalBps > WHOLE_BPS || discountShareBps > WHOLE_BPS) revert InvalidTierTerms(totalBps, discountShareBps);
        TierTerms memory old = _tiers[tier];
        _tiers[tier] = TierTerms({totalBps: totalBps, discountShareBps: discountShareBps});
        emit TierTermsChanged(tier, old.totalBps, old.discountShareBps, totalBps, discountShareBps);
    }

    function _requireTier(uint8 tier) private pure {
        if (tier >= TIER_COUNT) revert InvalidTier(tier);
    }
}
