// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title The words of the earn contract: what it stores, what it tells, why it refuses.
interface EarnTypes {
    enum Status {
        Unknown,
        Open,
        Settled,
        Cancelled
    }

    /// @notice Amounts are in the token's smallest unit, times in Unix seconds.
    struct Terms {
        uint32 annualRateBps;
        uint32 durationSeconds;
        uint128 totalQuota;
        uint128 minAmount;
        uint128 maxAmountPerUser;
        uint40 subscribeStart;
        uint40 subscribeEnd;
    }

    struct Product {
        Terms terms;
        Status status;
        uint32 subscriberCount;
        /// Everything that was ever subscribed: claims do not lower it.
        uint128 subscribed;
        /// What positions still hold here.
        uint128 principal;
        /// What those positions earn: the sum of each position's own, rounded down, interest.
        uint128 interestOwed;
        /// Interest money paid in and not yet paid out.
        uint256 funded;
    }

    struct Position {
        uint128 principal;
        uint128 tokenId;
    }

    event ProductCreated(uint256 indexed productId, Terms terms);
    event ProductUpdated(uint256 indexed productId, Terms oldTerms, Terms newTerms);
    event ProductFunded(
        uint256 indexed productId,
        address indexed funder,
        uint256 amount,
        uint256 oldFunded,
        uint256 newFunded
    );
    event ProductSettled(uint256 indexed productId, uint256 principal, uint256 interest, uint256 funded);
    event ProductCancelled(uint256 indexed productId, uint256 principal, uint256 funded);
    event ExcessWithdrawn(
        uint256 indexed productId,
        address indexed to,
        uint256 amount,
        uint256 oldFunded,
        uint256 newFunded
    );
    event Subscribed(
        address indexed user,
        uint256 indexed productId,
        uint256 amount,
        uint256 tokenId,
        bytes32 digest
    );
    event Claimed(
        address indexed user,
        uint256 indexed productId,
        uint256 principal,
        uint256 interest,
        uint256 tokenId
    );
    event EmergencyClaimed(address indexed user, uint256 indexed productId, uint256 principal, uint256 tokenId);

    error RateTooHigh(uint256 annualRateBps, uint256 most);
    error InvalidDuration(uint256 durationSeconds);
    error InvalidAmounts(uint256 minAmount, uint256 maxAmountPerUser, uint256 totalQuota);
    error InvalidWindow(uint256 subscribeStart, uint256 subscribeEnd);
    error UnknownProduct(uint256 productId);
    error WrongStatus(uint256 productId, Status actual, Status required);
    error SubscriptionStarted(uint256 productId, uint256 subscribeStart);
    error SubscriptionClosed(uint256 productId);
    error AmountTooLow(uint256 amount, uint256 minAmount);
    error AmountTooHigh(uint256 amount, uint256 remaining);
    error QuotaExceeded(uint256 amount, uint256 remaining);
    error VoucherExpired(uint256 deadline);
    error VoucherUsed(bytes32 digest);
    error InvalidVoucherSigner(address recovered);
    error NotMatured(uint256 productId, uint256 settleTime);
    error Underfunded(uint256 productId, uint256 funded, uint256 interestOwed);
    error NothingSubscribed(uint256 productId);
    error NoPosition(address user, uint256 productId);
    error NothingToWithdraw(uint256 productId);
}
