import { type Static, Type } from "typebox";
import { FapiRateLimit } from "./fapi-market.ts";

/** What clients of futures exchanges also read, of the spot, coin-margined and wallet interfaces beside `/fapi`. */

const Decimal = Type.String({ description: "Decimal" });
const Ms = Type.Integer({ description: "Milliseconds since 1970" });
const UtcTime = Type.String({ description: "UTC, as 2026-11-18 09:30:00" });

export const RelatedExchangeInfo = Type.Object({
  timezone: Type.Literal("UTC"),
  serverTime: Ms,
  rateLimits: Type.Array(FapiRateLimit),
  exchangeFilters: Type.Array(Type.String()),
  symbols: Type.Array(Type.Object({}), { description: "Always empty: every market is on /fapi" }),
});

export const SystemStatus = Type.Object({ status: Type.Literal(0), msg: Type.Literal("normal") });
export type SystemStatus = Static<typeof SystemStatus>;

export const MarginPair = Type.Object({}, { description: "There is none: nothing can be borrowed" });

const CoinNetwork = Type.Object({
  network: Type.String(),
  coin: Type.Literal("USDT"),
  name: Type.String(),
  isDefault: Type.Boolean(),
  depositEnable: Type.Boolean(),
  withdrawEnable: Type.Boolean(),
  depositDesc: Type.String(),
  withdrawDesc: Type.String(),
  specialTips: Type.String(),
  specialWithdrawTips: Type.String(),
  resetAddressStatus: Type.Boolean(),
  addressRegex: Type.String(),
  memoRegex: Type.String(),
  withdrawFee: Decimal,
  withdrawMin: Decimal,
  withdrawMax: Decimal,
  withdrawIntegerMultiple: Decimal,
  minConfirm: Type.Integer(),
  unLockConfirm: Type.Integer(),
  sameAddress: Type.Boolean(),
  busy: Type.Boolean(),
  contractAddress: Type.String({ description: "The token" }),
});

export const CapitalCoin = Type.Object({
  coin: Type.Literal("USDT"),
  name: Type.String(),
  depositAllEnable: Type.Boolean(),
  withdrawAllEnable: Type.Boolean(),
  free: Decimal,
  locked: Decimal,
  freeze: Decimal,
  withdrawing: Decimal,
  ipoing: Decimal,
  ipoable: Decimal,
  storage: Decimal,
  isLegalMoney: Type.Boolean(),
  trading: Type.Boolean(),
  networkList: Type.Array(CoinNetwork),
});
export type CapitalCoin = Static<typeof CapitalCoin>;

export const CapitalDeposit = Type.Object({
  id: Type.String(),
  amount: Decimal,
  coin: Type.Literal("USDT"),
  network: Type.String(),
  status: Type.Integer({ description: "0 pending, 1 credited, 2 refused" }),
  address: Type.String(),
  addressTag: Type.String(),
  txId: Type.String(),
  insertTime: Ms,
  completeTime: Type.Optional(Ms),
  transferType: Type.Literal(0),
  confirmTimes: Type.String(),
  unlockConfirm: Type.Integer(),
  walletType: Type.Literal(0),
});
export type CapitalDeposit = Static<typeof CapitalDeposit>;

export const CapitalWithdrawal = Type.Object({
  id: Type.String(),
  amount: Decimal,
  transactionFee: Decimal,
  coin: Type.Literal("USDT"),
  status: Type.Integer({ description: "2 in review, 3 rejected, 4 on its way, 6 paid" }),
  address: Type.String(),
  txId: Type.String(),
  applyTime: UtcTime,
  completeTime: Type.Optional(UtcTime),
  network: Type.String(),
  transferType: Type.Literal(0),
  withdrawOrderId: Type.Optional(Type.String({ description: "The request_id that the client gave" })),
  info: Type.String(),
  confirmNo: Type.Integer(),
  walletType: Type.Literal(0),
  txKey: Type.String(),
});
export type CapitalWithdrawal = Static<typeof CapitalWithdrawal>;

export const CapitalDepositAddress = Type.Object({
  address: Type.String({ description: "The Vault" }),
  coin: Type.Literal("USDT"),
  tag: Type.String({ description: "What is to be called: tokens that are only sent to the address are not credited" }),
  url: Type.String(),
  contract: Type.Object({
    chainId: Type.Integer(),
    token: Type.String(),
    approve: Type.String({ description: "First, on the token" }),
    deposit: Type.String({ description: "Then, on the Vault, by the wallet itself" }),
    depositFor: Type.String({ description: "Or by another wallet" }),
  }),
});
export type CapitalDepositAddress = Static<typeof CapitalDepositAddress>;

const coin = Type.Optional(Type.String({ description: "USDT; there is nothing of other coins" }));
const history = {
  coin,
  status: Type.Optional(Type.Integer()),
  startTime: Type.Optional(Type.Integer()),
  endTime: Type.Optional(Type.Integer({ description: "At most 90 days after startTime" })),
  offset: Type.Optional(Type.Integer()),
  limit: Type.Optional(Type.Integer({ description: "Default and at most 1000" })),
};

export const capitalParameters = {
  deposits: { ...history, txId: Type.Optional(Type.String()) },
  withdrawals: {
    ...history,
    withdrawOrderId: Type.Optional(Type.String()),
    idList: Type.Optional(Type.String({ description: "Ids, separated by commas, at most 45" })),
  },
  depositAddress: { coin: Type.String(), network: Type.Optional(Type.String()) },
};
