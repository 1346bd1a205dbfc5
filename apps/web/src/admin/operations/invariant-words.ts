/** What each invariant means, for readers who do not know the rules. */
const MEANINGS: Readonly<Record<string, string>> = {
  "INV-1":
    "All money inside (principal, bonus, open positions, insurance fund, fee account, money under way) is exactly what came in less what went out, to the millionth.",
  "INV-2":
    "For every long there is a short: the positions of a market add up to zero, and so does each round of funding.",
  "INV-3":
    "What the bonus pool has granted equals what the accounts hold and have consumed. Bonus never leaves as a withdrawal.",
  "INV-4":
    "Each rebate record's parts (downline, parent, KOL) are its gross rebate and never more than the fee. Settling a day again gives the same bytes.",
  "INV-5": "The earn contract holds at least all principal, and has the same positions as the exchange.",
  "INV-6": "Replaying the log from the last snapshot gives the live state, with the same hash.",
  "INV-7": "Nothing is acknowledged before it is durable: after a power failure everything acknowledged is there.",
  "INV-8":
    "The tokens in the Vault, with what the bonus pool still owes it, cover everything owed to accounts, fund and fees.",
  "INV-10":
    "In no market has the insurance fund lost its cap of the hour, and it is worth at least 70 % of its highest of 24 hours.",
  "INV-11": "No two accounts have moved 1,000 USDT or more in 24 hours by trades further than 0.2 % from the mark.",
  ENGINE: "Every derived figure of the engine (margins, volumes, counts) agrees with its sources.",
};

export const meaningOf = (code: string): string => MEANINGS[code] ?? "A rule of the platform that must always hold.";

export interface Verdict {
  readonly tone: "good" | "bad" | "neutral";
  readonly words: string;
}

export function verdictOf(rows: readonly { readonly ok: boolean | null }[]): Verdict {
  const broken = rows.filter(({ ok }) => ok === false).length;
  const unknown = rows.filter(({ ok }) => ok === null).length;
  if (broken > 0) return { tone: "bad", words: `${broken} of ${rows.length} do not hold` };
  if (unknown > 0)
    return { tone: "neutral", words: `${rows.length - unknown} of ${rows.length} hold, ${unknown} not computed` };
  return { tone: "good", words: `All ${rows.length} hold` };
}
