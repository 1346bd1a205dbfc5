import type { CapitalCoin, CapitalDeposit, CapitalDepositAddress, CapitalWithdrawal } from "@bourse/api";
import { moneyText } from "../../kernel/units.ts";
import type { DepositRecord, DepositState, MoneyGate, WithdrawalRecord, WithdrawalState } from "./ports.ts";

const COIN = "USDT";
const NONE = "0";

/** The numbers of states that clients know. */
export const DEPOSIT_STATUS: Readonly<Record<DepositState, number>> = { requested: 0, credited: 1, refused: 2 };
export const WITHDRAWAL_STATUS: Readonly<Record<WithdrawalState, number>> = {
  requested: 4,
  in_review: 2,
  sent: 4,
  confirmed: 6,
  rejected: 3,
};

/** The names that exchanges have given to chains; clients translate these. */
const NETWORKS: Readonly<Record<number, string>> = {
  1: "ETH",
  10: "OPTIMISM",
  56: "BSC",
  137: "MATIC",
  8453: "BASE",
  42161: "ARBITRUM",
  43114: "AVAXC",
};

/** The name of a chain without one has its id. */
export const networkOf = ({ chainId }: Pick<MoneyGate, "chainId">): string => NETWORKS[chainId] ?? `EVM-${chainId}`;

/**
 * The one coin. Its amounts are those of a spot wallet, which does not exist: deposits go into the futures account, whose balance is
 * on /fapi, and a client that adds both up must not count it twice.
 */
export function coinView(gate: MoneyGate, areWithdrawalsPaused: boolean): CapitalCoin {
  const withdrawEnable = !areWithdrawalsPaused;
  return {
    coin: COIN,
    name: "Tether USD",
    depositAllEnable: true,
    withdrawAllEnable: withdrawEnable,
    free: NONE,
    locked: NONE,
    freeze: NONE,
    withdrawing: NONE,
    ipoing: NONE,
    ipoable: NONE,
    storage: NONE,
    isLegalMoney: false,
    trading: true,
    networkList: [
      {
        network: networkOf(gate),
        coin: COIN,
        name: `EVM chain ${gate.chainId}`,
        isDefault: true,
        depositEnable: true,
        withdrawEnable,
        depositDesc: "",
        withdrawDesc: withdrawEnable ? "" : "Withdrawals are paused.",
        specialTips: "Deposits are calls of the Vault. Tokens that are only sent to its address are not credited.",
        specialWithdrawTips: "",
        resetAddressStatus: false,
        addressRegex: "^(0x)[0-9A-Fa-f]{40}$",
        memoRegex: "",
        withdrawFee: NONE,
        withdrawMin: moneyText(gate.smallest_micros, 0),
        withdrawMax: moneyText(gate.largest_micros, 0),
        withdrawIntegerMultiple: moneyText(1n, 0),
        minConfirm: gate.confirmations,
        unLockConfirm: gate.confirmations,
        // The Vault's address is the same for all wallets.
        sameAddress: true,
        busy: false,
        contractAddress: gate.token,
      },
    ],
  };
}

const fieldsOf = (gate: MoneyGate, { id, amount_micros, transactionHash }: DepositRecord | WithdrawalRecord) => ({
  id,
  amount: moneyText(amount_micros, 0),
  coin: "USDT" as const,
  network: networkOf(gate),
  txId: transactionHash ?? "",
  transferType: 0 as const,
  walletType: 0 as const,
});

export function depositView(gate: MoneyGate, deposit: DepositRecord): CapitalDeposit {
  const { confirmations } = gate;
  return {
    ...fieldsOf(gate, deposit),
    status: DEPOSIT_STATUS[deposit.state],
    address: gate.vault,
    addressTag: "",
    insertTime: deposit.created_ms,
    ...(deposit.state === "credited" ? { completeTime: deposit.updated_ms } : {}),
    // A deposit is known here when its blocks have passed.
    confirmTimes: `${confirmations}/${confirmations}`,
    unlockConfirm: confirmations,
  };
}

/** 2026-11-18 09:30:00, in UTC. */
const utcText = (time_ms: number) => new Date(time_ms).toISOString().slice(0, 19).replace("T", " ");

export function withdrawalView(gate: MoneyGate, withdrawal: WithdrawalRecord): CapitalWithdrawal {
  const { state, requestId } = withdrawal;
  const isPaid = state === "confirmed";
  return {
    ...fieldsOf(gate, withdrawal),
    transactionFee: NONE,
    status: WITHDRAWAL_STATUS[state],
    address: withdrawal.to,
    applyTime: utcText(withdrawal.created_ms),
    ...(isPaid ? { completeTime: utcText(withdrawal.updated_ms) } : {}),
    ...(requestId === null ? {} : { withdrawOrderId: requestId }),
    info: withdrawal.reason ?? "",
    confirmNo: isPaid ? gate.confirmations : 0,
    txKey: "",
  };
}

/** The tag says what is missing when tokens are only sent, where clients show what a deposit needs besides the address. */
export const depositAddressView = ({ vault, token, chainId }: MoneyGate): CapitalDepositAddress => ({
  address: vault,
  coin: "USDT" as const,
  tag: "deposit(uint256)",
  url: "",
  contract: {
    chainId,
    token,
    approve: "approve(address,uint256)",
    deposit: "deposit(uint256)",
    depositFor: "depositFor(address,uint256)",
  },
});
