import { parseAbi } from "viem";

/** What the web app calls of the contracts, and the refusals it can put into words. A test holds it against the artifacts. */

const TOKEN_ERRORS = [
  "error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)",
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
] as const;

export const tokenAbi = parseAbi([
  "function approve(address spender, uint256 value) returns (bool)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function balanceOf(address account) view returns (uint256)",
  ...TOKEN_ERRORS,
]);

export const vaultAbi = parseAbi([
  "function deposit(uint256 amount)",
  "error DepositsPaused()",
  "error ZeroAmount()",
  ...TOKEN_ERRORS,
]);

export const earnAbi = parseAbi([
  "function subscribe(uint256 productId, uint256 amount, uint256 deadline, bytes signature)",
  "function claim(uint256 productId)",
  "function emergencyClaim(uint256 productId)",
  "error AmountTooHigh(uint256 amount, uint256 remaining)",
  "error AmountTooLow(uint256 amount, uint256 minAmount)",
  "error EnforcedPause()",
  "error InvalidVoucherSigner(address recovered)",
  "error NoPosition(address user, uint256 productId)",
  "error QuotaExceeded(uint256 amount, uint256 remaining)",
  "error SubscriptionClosed(uint256 productId)",
  "error UnknownProduct(uint256 productId)",
  "error VoucherExpired(uint256 deadline)",
  "error VoucherUsed(bytes32 digest)",
  "error WrongStatus(uint256 productId, uint8 actual, uint8 required)",
  ...TOKEN_ERRORS,
]);

export const referralAbi = parseAbi([
  "function claim()",
  "function userRebate(address user) view returns ((uint256 credited, uint256 claimed, uint64 nonce, bytes32 code, address referrer, uint8 tier))",
  "error NothingToClaim(address user)",
  ...TOKEN_ERRORS,
]);
