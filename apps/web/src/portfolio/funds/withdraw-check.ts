import { readTyped, sayUnits, unitsOf } from "../../chain/tokens.ts";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export type CheckedWithdrawal =
  | { readonly kind: "wrong"; readonly amount?: string; readonly to?: string }
  | { readonly kind: "good"; readonly tokens: string; readonly units: bigint; readonly to: string };

/** What is wrong with a withdrawal before it is requested. An empty field is no error, but not complete either. */
export function checkWithdrawal(
  typed: { readonly amount: string; readonly to: string },
  withdrawable: string | undefined,
): CheckedWithdrawal {
  const amount = readTyped(typed.amount);
  const to = typed.to.trim();
  const most = withdrawable === undefined ? undefined : unitsOf(withdrawable);
  const isTooMuch = amount.kind === "amount" && most !== undefined && amount.units > most;
  const amountProblem =
    amount.kind === "wrong" ? amount.problem : isTooMuch ? `At most ${sayUnits(most)} can leave now.` : undefined;
  const toProblem =
    to === "" || ADDRESS.test(to) ? undefined : "An address is 0x and 40 letters or digits from 0 to f.";
  if (amount.kind === "amount" && !isTooMuch && to !== "" && toProblem === undefined) {
    return { kind: "good", tokens: amount.tokens, units: amount.units, to };
  }
  return {
    kind: "wrong",
    ...(amountProblem === undefined ? {} : { amount: amountProblem }),
    ...(toProblem === undefined ? {} : { to: toProblem }),
  };
}
