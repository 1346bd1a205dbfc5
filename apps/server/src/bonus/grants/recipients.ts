import type { FailedRecipient } from "@bourse/api";
import { storableText } from "../../kernel/audit/canonical-json.ts";
import { parseWallet } from "../inputs.ts";
import { refusals } from "../refusals.ts";

export interface Recipient {
  /** The received text, shortened and made safe to show. */
  readonly shown: string;
  /** The address in lower case; undefined if the text is not an address. */
  readonly address: string | undefined;
}

export interface JudgedRecipients {
  /** Wallets that get a bonus, without duplicates. */
  readonly accepted: readonly string[];
  readonly failed: readonly FailedRecipient[];
}

const MAX_RECIPIENTS = 500;
const MAX_SHOWN_chars = 100;

const readRecipient = (text: string): Recipient => ({
  shown: storableText(text.slice(0, MAX_SHOWN_chars)),
  address: parseWallet(text),
});

export function readRecipients(texts: readonly string[]): readonly Recipient[] {
  if (texts.length === 0) throw refusals.recipientsEmpty();
  if (texts.length > MAX_RECIPIENTS) throw refusals.tooManyRecipients(MAX_RECIPIENTS, texts.length);
  return texts.map(readRecipient);
}

/** The valid addresses, without duplicates. */
export const walletsOf = (recipients: readonly Recipient[]): readonly string[] => [
  ...new Set(recipients.flatMap(({ address }) => (address === undefined ? [] : [address]))),
];

/** Wallets that cannot get a bonus, and why. */
export interface Barred {
  readonly withBonus: ReadonlySet<string>;
  readonly inDebt: ReadonlySet<string>;
}

/** BON-2, BON-5, BON-15: a recipient that fails does not stop the others. */
export function judgeRecipients(recipients: readonly Recipient[], { withBonus, inDebt }: Barred): JudgedRecipients {
  const accepted = new Set<string>();
  const failed: FailedRecipient[] = [];
  for (const { shown, address } of recipients) {
    if (address === undefined) failed.push({ address: shown, reason: "invalid_address" });
    else if (accepted.has(address) || withBonus.has(address)) {
      failed.push({ address: shown, reason: "already_has_bonus" });
    } else if (inDebt.has(address)) {
      failed.push({ address: shown, reason: "account_in_debt" });
    } else accepted.add(address);
  }
  return { accepted: [...accepted], failed };
}
