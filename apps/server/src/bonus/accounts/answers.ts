import type { AnsweredMessage, Refused } from "../../kernel/engine-requests/answers.ts";
import { moneyText } from "../../kernel/units.ts";
import type { RequestAnswer } from "../requests.ts";

const TEXTS: Readonly<Record<string, string>> = {
  no_bonus: "the wallet has no bonus",
  already_frozen: "the bonus is frozen already",
  not_frozen: "the bonus is not frozen",
  already_expired: "the bonus has expired already: only closing is allowed",
  bonus_locked: "part of the bonus is in margin: it comes back when positions are closed and orders cancelled",
};

function refusalAnswer({ reason, actual }: Refused): RequestAnswer {
  const details = {
    rule: reason,
    ...(reason === "bonus_locked" ? { still_locked_amount: moneyText(actual) } : {}),
  };
  const response = { error: TEXTS[reason] ?? "the exchange refuses it", code: reason, details };
  return { status: reason === "no_bonus" ? 404 : 409, response };
}

/** BON-10: the answer to a freeze, unfreeze or recall. `locked_micros` is the locked part of the bonus afterwards. */
export function controlAnswer({ refused, events }: AnsweredMessage, locked_micros: number | bigint): RequestAnswer {
  if (refused !== undefined) return refusalAnswer(refused);
  let recalled_micros = 0n;
  let status = "";
  for (const event of events) {
    if (event.kind === "bonus_state_set") status = event.state;
    if (event.kind === "bonus_line" && event.line === "RECALL") recalled_micros += BigInt(event.amount_micros);
  }
  const amounts = { recalled_amount: moneyText(recalled_micros), still_locked_amount: moneyText(locked_micros) };
  return { status: 200, response: { status, ...amounts } };
}
