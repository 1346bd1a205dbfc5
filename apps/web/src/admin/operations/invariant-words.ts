/** What each invariant means to somebody who has not read the rules. */
const MEANINGS: Readonly<Record<string, string>> = {
  "INV-1":
    "All money inside (own money, bonus, open positions, insurance fund, fee account, what is in flight) is exactly what came in less what went out. Not one millionth is made or lost.",
  "INV-2":
    "For every long there is a short: the positions of a market add up to zero, and so does each round of funding.",
  "INV-3":
    "What the bonus pool says it has handed out is what the accounts hold and have consumed. Bonus leaves by no way but its own.",
  "INV-4":
    "Each rebate record's parts (downline, parent, KOL) are its gross rebate and never more than the fee. Settling a day again gives the same bytes.",
  "INV-5": "The earn contract holds at least every principal it was given, and knows the same positions as we do.",
  "INV-6": "Whoever replays the log from the last snapshot gets the state that is live, hash for hash.",
  "INV-7": "Nothing is answered before it is safe on disk: after a power cut everything acknowledged is there.",
  "INV-8":
    "The tokens in the Vault, with what the bonus pool still owes it, cover everything owed to accounts, fund and fees.",
  ENGINE: "Every figure the engine keeps beside its sources (margins, volumes, counts) agrees with them.",
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
