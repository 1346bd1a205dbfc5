// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {EarnReceipt} from "./EarnReceipt.sol";
import {EarnTypes} from "./EarnTypes.sol";
import {PlatformBase} from "./PlatformBase.sol";

/// @title Fixed-term, fixed-rate products.
/// @notice Whoever subscribes gets back the principal: with interest once the product is settled, without it once it
/// is cancelled. The principal never leaves this contract any other way: no role reaches it, and there is no upgrade.
contract Earn is EarnTypes, EarnReceipt, EIP712, PlatformBase, Pausable {
    bytes32 public constant SIGNER_ROLE = keccak256("SIGNER_ROLE");
    bytes32 public constant SUBSCRIBE_TYPEHASH =
        keccak256("Subscribe(address user,uint256 productId,uint256 amount,uint256 deadline)");
    uint256 public constant MAX_ANNUAL_RATE_BPS = 100_000;
    uint256 public constant MAX_DURATION_SECONDS = 3_650 days;
    /// @dev With the two above it keeps the interest of a whole product far below what 128 bits hold.
    uint256 public constant MAX_TOTAL_QUOTA = 1e30;

    /// @notice The principal of all products that is held here.
    uint256 public totalPrincipal;
    /// @notice The interest money of all products that is held here.
    uint256 public totalFunded;
    uint256 public productCount;

    mapping(uint256 productId => Product) private _products;
    mapping(uint256 productId => mapping(address user => Position)) private _positions;
    mapping(bytes32 digest => bool) private _usedDigests;

    constructor(IERC20 asset_, address admin) EIP712("Bourse Earn", "1") PlatformBase(asset_, admin) {}

    function createProduct(Terms calldata terms) external onlyRole(OPERATOR_ROLE) returns (uint256 productId) {
        _checkTerms(terms);
        productId = ++productCount;
        Product storage created = _products[productId];
        created.terms = terms;
        created.status = Status.Open;
        emit ProductCreated(productId, terms);
    }

    /// @notice Nobody can have subscribed to the old terms: the subscription has not started.
    function updateProduct(uint256 productId, Terms calldata newTerms) external onlyRole(OPERATOR_ROLE) {
        Product storage updated = _withStatus(productId, Status.Open);
        Terms memory oldTerms = updated.terms;
        if (block.timestamp >= oldTerms.subscribeStart) revert SubscriptionStarted(productId, oldTerms.subscribeStart);
        _checkTerms(newTerms);
        updated.terms = newTerms;
        emit ProductUpdated(productId, oldTerms, newTerms);
    }

    /// @notice Opens `emergencyClaim`: everyone gets the principal back, without interest.
    function cancel(uint256 productId) external nonReentrant onlyRole(OPERATOR_ROLE) {
        Product storage cancelled = _withStatus(productId, Status.Open);
        cancelled.status = Status.Cancelled;
        emit ProductCancelled(productId, cancelled.principal, cancelled.funded);
    }

    /// @notice Stops `subscribe` and nothing else.
    function pause() external onlyRole(PAUSER_ROLE) {
        _pause();
    }

    function unpause() external onlyRole(PAUSER_ROLE) {
        _unpause();
    }

    /// @notice Takes the caller's tokens into the product, on a voucher that a signer of the platform made out to it.
    function subscribe(
        uint256 productId,
        uint256 amount,
        uint256 deadline,
        bytes calldata signature
    ) external nonReentrant whenNotPaused {
        Product storage subscribed = _existing(productId);
        Position storage held = _positions[productId][msg.sender];
        _checkSubscription(subscribed, held.principal, productId, amount);
        bytes32 digest = _useVoucher(productId, amount, deadline, signature);
        _enter(subscribed, held, productId, uint128(amount));
        emit Subscribed(msg.sender, productId, amount, held.tokenId, digest);
        _pull(msg.sender, amount);
    }

    /// @notice Anyone may pay the interest of a product that is not settled yet.
    function fund(uint256 productId, uint256 amount) external nonReentrant {
        _requireAmount(amount);
        Product storage supported = _withStatus(productId, Status.Open);
        uint256 oldFunded = supported.funded;
        supported.funded = oldFunded + amount;
        totalFunded += amount;
        emit ProductFunded(productId, msg.sender, amount, oldFunded, oldFunded + amount);
        _pull(msg.sender, amount);
    }

    /// @notice Opens `claim`, for a product that has run its time and whose own funding covers its interest.
    function settle(uint256 productId) external nonReentrant {
        Product storage settled = _withStatus(productId, Status.Open);
        uint256 settleTime = uint256(settled.terms.subscribeEnd) + settled.terms.durationSeconds;
        if (block.timestamp < settleTime) revert NotMatured(productId, settleTime);
        if (settled.subscribed == 0) revert NothingSubscribed(productId);
        if (settled.funded < settled.interestOwed) {
            revert Underfunded(productId, settled.funded, settled.interestOwed);
        }
        settled.status = Status.Settled;
        emit ProductSettled(productId, settled.principal, settled.interestOwed, settled.funded);
    }

    /// @notice Pays principal and interest and burns the receipt.
    function claim(uint256 productId) external nonReentrant {
        Product storage claimed = _withStatus(productId, Status.Settled);
        (uint256 principal, uint256 interest, uint256 tokenId) = _leave(claimed, productId);
        claimed.funded -= interest;
        totalFunded -= interest;
        emit Claimed(msg.sender, productId, principal, interest, tokenId);
        _send(msg.sender, principal + interest);
    }

    /// @notice Pays the principal of a cancelled product back and burns the receipt.
    function emergencyClaim(uint256 productId) external nonReentrant {
        Product storage cancelled = _withStatus(productId, Status.Cancelled);
        (uint256 principal, , uint256 tokenId) = _leave(cancelled, productId);
        emit EmergencyClaimed(msg.sender, productId, principal, tokenId);
        _send(msg.sender, principal);
    }

    /// @notice Takes back interest money that nobody can claim any more: what a settled product has beyond what it
    /// still owes, or all of a cancelled one's.
    function withdrawExcess(uint256 productId, address to) external nonReentrant onlyRole(OPERATOR_ROLE) {
        _requireOutside(to);
        Product storage closed = _existing(productId);
        if (closed.status == Status.Open) revert WrongStatus(productId, Status.Open, Status.Settled);
        uint256 oldFunded = closed.funded;
        uint256 newFunded = closed.status == Status.Settled ? closed.interestOwed : 0;
        if (oldFunded == newFunded) revert NothingToWithdraw(productId);
        uint256 amount = oldFunded - newFunded;
        closed.funded = newFunded;
        totalFunded -= amount;
        emit ExcessWithdrawn(productId, to, amount, oldFunded, newFunded);
        _send(to, amount);
    }

    function product(uint256 productId) external view returns (Product memory) {
        return _existing(productId);
    }

    function position(address user, uint256 productId) external view returns (Position memory) {
        return _positions[productId][user];
    }

    /// @notice What the user's position earns by the end of the product's time.
    function interestOf(address user, uint256 productId) external view returns (uint256) {
        return _interest(_existing(productId).terms, _positions[productId][user].principal);
    }

    function isDigestUsed(bytes32 digest) external view returns (bool) {
        return _usedDigests[digest];
    }

    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    function subscribeDigest(
        address user,
        uint256 productId,
        uint256 amount,
        uint256 deadline
    ) public view returns (bytes32) {
        return _hashTypedDataV4(keccak256(abi.encode(SUBSCRIBE_TYPEHASH, user, productId, amount, deadline)));
    }

    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        uint256 productId = productOf(tokenId);
        bytes memory json = abi.encodePacked(
            '{"name":"Bourse Earn receipt #',
            Strings.toString(tokenId),
            '","description":"A position in a fixed-term product. It cannot be transferred.","attributes":[',
            '{"trait_type":"product","value":"',
            Strings.toString(productId),
            '"},{"trait_type":"principal","value":"',
            Strings.toString(_positions[productId][ownerOf(tokenId)].principal),
            '"}]}'
        );
        return string.concat("data:application/json;base64,", Base64.encode(json));
    }

    function supportsInterface(bytes4 interfaceId) public view override(ERC721, AccessControl) returns (bool) {
        return super.supportsInterface(interfaceId);
    }

    /// @dev Counts the interest as the difference the new principal makes, so that the sum stays exactly what the
    /// positions, each rounded down on its own, are going to claim.
    function _enter(Product storage entered, Position storage held, uint256 productId, uint128 amount) private {
        uint128 oldPrincipal = held.principal;
        uint128 newPrincipal = oldPrincipal + amount;
        if (oldPrincipal == 0) {
            held.tokenId = _mintReceipt(msg.sender, productId);
            entered.subscriberCount += 1;
        }
        held.principal = newPrincipal;
        entered.subscribed += amount;
        entered.principal += amount;
        entered.interestOwed += _interest(entered.terms, newPrincipal) - _interest(entered.terms, oldPrincipal);
        totalPrincipal += amount;
    }

    function _leave(
        Product storage left,
        uint256 productId
    ) private returns (uint128 principal, uint128 interest, uint128 tokenId) {
        Position memory held = _positions[productId][msg.sender];
        if (held.principal == 0) revert NoPosition(msg.sender, productId);
        (principal, tokenId) = (held.principal, held.tokenId);
        interest = _interest(left.terms, principal);
        delete _positions[productId][msg.sender];
        left.principal -= principal;
        left.interestOwed -= interest;
        totalPrincipal -= principal;
        _burnReceipt(tokenId);
    }

    function _useVoucher(
        uint256 productId,
        uint256 amount,
        uint256 deadline,
        bytes calldata signature
    ) private returns (bytes32 digest) {
        if (block.timestamp > deadline) revert VoucherExpired(deadline);
        digest = subscribeDigest(msg.sender, productId, amount, deadline);
        if (_usedDigests[digest]) revert VoucherUsed(digest);
        (address signer, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(digest, signature);
        if (failure != ECDSA.RecoverError.NoError || !hasRole(SIGNER_ROLE, signer)) revert InvalidVoucherSigner(signer);
        _usedDigests[digest] = true;
    }

    function _existing(uint256 productId) private view returns (Product storage found) {
        found = _products[productId];
        if (found.status == Status.Unknown) revert UnknownProduct(productId);
    }

    function _withStatus(uint256 productId, Status required) private view returns (Product storage found) {
        found = _existing(productId);
        if (found.status != required) revert WrongStatus(productId, found.status, required);
    }

    /// @dev The order of the refusals is the one in which the platform's interface names them.
    function _checkSubscription(Product storage wanted, uint128 held, uint256 productId, uint256 amount) private view {
        Terms memory terms = wanted.terms;
        bool isInWindow = block.timestamp >= terms.subscribeStart && block.timestamp < terms.subscribeEnd;
        if (wanted.status != Status.Open || !isInWindow) revert SubscriptionClosed(productId);
        if (amount < terms.minAmount) revert AmountTooLow(amount, terms.minAmount);
        uint256 userRoom = terms.maxAmountPerUser - held;
        if (amount > userRoom) revert AmountTooHigh(amount, userRoom);
        uint256 quotaLeft = terms.totalQuota - wanted.subscribed;
        if (amount > quotaLeft) revert QuotaExceeded(amount, quotaLeft);
    }

    function _checkTerms(Terms calldata terms) private view {
        if (terms.annualRateBps > MAX_ANNUAL_RATE_BPS) revert RateTooHigh(terms.annualRateBps, MAX_ANNUAL_RATE_BPS);
        if (terms.durationSeconds == 0 || terms.durationSeconds > MAX_DURATION_SECONDS) {
            revert InvalidDuration(terms.durationSeconds);
        }
        bool areAmountsInOrder = terms.minAmount > 0 &&
            terms.minAmount <= terms.maxAmountPerUser &&
            terms.maxAmountPerUser <= terms.totalQuota &&
            terms.totalQuota <= MAX_TOTAL_QUOTA;
        if (!areAmountsInOrder) revert InvalidAmounts(terms.minAmount, terms.maxAmountPerUser, terms.totalQuota);
        if (terms.subscribeEnd <= terms.subscribeStart || terms.subscribeEnd <= block.timestamp) {
            revert InvalidWindow(terms.subscribeStart, terms.subscribeEnd);
        }
    }

    /// @dev Rounded down: the contract never owes a fraction more than was promised.
    function _interest(Terms memory terms, uint128 principal) private pure returns (uint128) {
        uint256 scaled = uint256(principal) * terms.annualRateBps * terms.durationSeconds;
        return uint128(scaled / (10_000 * uint256(365 days)));
    }
}
