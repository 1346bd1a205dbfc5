/** A refusal by the chain, a contract or the wallet, in words. `reason` keeps the name of the contract's error. */
export class ChainRefused extends Error {
  readonly reason: string;

  constructor(reason: string, words: string, options?: ErrorOptions) {
    super(words, options);
    this.name = "ChainRefused";
    this.reason = reason;
  }
}

export const CONTRACT_WORDS: Readonly<Record<string, string>> = {
  AmountTooHigh: "The contract takes less than that from one user. Lower the amount.",
  AmountTooLow: "The amount is below the product's minimum. Raise it.",
  DepositsPaused: "Deposits are paused by the operators. Nothing was sent; try later.",
  ERC20InsufficientAllowance: "The contract is not allowed to take this much from your wallet. Approve again.",
  ERC20InsufficientBalance: "Your wallet holds less USDT than that. Lower the amount, or send USDT to the wallet.",
  EnforcedPause: "The earn contract is paused by the operators. Nothing was sent; try later.",
  InvalidVoucherSigner: "The contract does not accept the voucher. Ask for a new one.",
  NoPosition: "There is nothing left to take: the position was paid out already.",
  NothingToClaim: "There is nothing left to claim: all of it was paid out already.",
  QuotaExceeded: "Less than that is left of the quota. Lower the amount.",
  SubscriptionClosed: "The subscription of this product is closed. Choose a product that is open.",
  UnknownProduct: "The contract does not know this product.",
  VoucherExpired: "The voucher has expired. A new one is needed.",
  VoucherUsed: "The voucher was used already. A new one is needed.",
  WrongStatus: "The product's status does not allow this yet. Look at its status and try again later.",
  ZeroAmount: "The amount must be above zero.",
};

interface Cause {
  readonly code?: unknown;
  readonly data?: { readonly errorName?: unknown } | undefined;
  readonly message?: unknown;
  readonly cause?: unknown;
}

/** An error and its causes, outermost first. */
function causesOf(error: unknown): Cause[] {
  const causes: Cause[] = [];
  for (let at = error; typeof at === "object" && at !== null && causes.length < 20; at = (at as Cause).cause) {
    causes.push(at);
  }
  return causes;
}

/** EIP-1193: the request was declined in the wallet. */
const DECLINED = 4001;

export function refusalOf(error: unknown): Error {
  if (error instanceof ChainRefused) return error;
  const causes = causesOf(error);
  const options = { cause: error };
  const name = causes.map(({ data }) => data?.errorName).find((each) => typeof each === "string");
  if (typeof name === "string") {
    return new ChainRefused(name, CONTRACT_WORDS[name] ?? `The contract refuses it (${name}).`, options);
  }
  if (causes.some(({ code }) => code === DECLINED)) {
    return new ChainRefused("declined", "You declined it in the wallet. Nothing was sent.", options);
  }
  const texts = causes.map(({ message }) => String(message).toLowerCase());
  if (texts.some((text) => text.includes("insufficient funds") || text.includes("enough funds"))) {
    const words = "The wallet has too little AVAX for the network's fee. Send it some, then try again.";
    return new ChainRefused("gas", words, options);
  }
  if (texts.some((text) => text.includes("http request failed") || text.includes("timed out"))) {
    return new ChainRefused(
      "unreachable",
      "The chain does not answer. Check your connection, then try again.",
      options,
    );
  }
  return error instanceof Error ? error : new Error(String(error));
}
