import { type EngineEvent, FUND_ACCOUNT, NO_MARKET } from "@bourse/engine";
import type { IncomeRow } from "./tables.ts";

export const INCOME_TYPES = [
  "TRANSFER",
  "WELCOME_BONUS",
  "REALIZED_PNL",
  "FUNDING_FEE",
  "COMMISSION",
  "INSURANCE_CLEAR",
] as const;
export type IncomeType = (typeof INCOME_TYPES)[number];

export interface Income extends Pick<IncomeRow, "account" | "market" | "amount_micros" | "trade" | "info"> {
  readonly income_type: IncomeType;
}

function line(
  income_type: IncomeType,
  account: number,
  amount_micros: number,
  info: string,
  market: number = NO_MARKET,
  trade = 0,
): Income {
  return { income_type, account, amount_micros, info, market, trade };
}

/**
 * What an event brought to or took from accounts: principal, isolated margin and bonus together, so that the lines of an
 * account add up to what it has of these. Whether principal or bonus paid is told by fills and bonus lines. The fund is
 * an account as well.
 */
export function incomesOf(event: EngineEvent): readonly Income[] {
  switch (event.kind) {
    case "fill": {
      const { account, market, trade, cause } = event;
      return [
        line("REALIZED_PNL", account, event.realised_micros, cause, market, trade),
        line("COMMISSION", account, -event.fee_micros, cause, market, trade),
      ];
    }
    case "funding_paid":
      return [line("FUNDING_FEE", event.account, -event.amount_micros, "", event.market)];
    case "funding_settled":
      return [line("FUNDING_FEE", FUND_ACCOUNT, event.residue_micros, "residue", event.market)];
    case "liquidation_fee_paid":
      return [
        line("INSURANCE_CLEAR", event.account, -event.amount_micros, "liquidation fee", event.market),
        line("INSURANCE_CLEAR", FUND_ACCOUNT, event.amount_micros, "liquidation fee", event.market),
      ];
    case "deposited":
      return [line("TRANSFER", event.account, event.amount_micros, "DEPOSIT")];
    case "withdrawal_held":
      return [line("TRANSFER", event.account, -event.amount_micros, "WITHDRAW")];
    case "withdrawal_settled":
      return event.isDone === 1 ? [] : [line("TRANSFER", event.account, event.amount_micros, "WITHDRAW_FAILED")];
    case "fund_seeded":
      return [line("TRANSFER", FUND_ACCOUNT, event.amount_micros, "SEED")];
    case "bonus_line":
      // What is consumed pays a cost that has a line of its own, or moves into principal.
      if (event.line === "GRANT") return [line("WELCOME_BONUS", event.account, event.amount_micros, event.line)];
      if (event.line === "RECALL" || event.line === "EXPIRE") {
        return [line("WELCOME_BONUS", event.account, -event.amount_micros, event.line)];
      }
      return [];
    default:
      return [];
  }
}
