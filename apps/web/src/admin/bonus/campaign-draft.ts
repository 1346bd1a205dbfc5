import type { BonusCampaign, CampaignRequest } from "@bourse/api/client";
import { readTyped } from "../../chain/tokens.ts";
import type { Change } from "../../kit/dialog.tsx";
import { Decimal } from "../../lib/decimal.ts";
import { formatMoney } from "../../lib/format.ts";
import { isoOfLocalInput, localInputOf } from "../../lib/local-time.ts";
import { formatUtc } from "../../lib/time.ts";

/** A campaign as it is typed. */
export interface CampaignDraft {
  readonly name: string;
  readonly amount: string;
  /** Empty: no bound. */
  readonly most: string;
  readonly days: string;
  /** Empty: open from the start. */
  readonly opens: string;
  readonly closes: string;
}

export type CampaignField = keyof CampaignDraft;
export type CampaignProblems = Readonly<Partial<Record<CampaignField, string>>>;

const MOST_NAME_CHARS = 100;
const MOST_DAYS = 365;

export const draftOfCampaign = (campaign: BonusCampaign): CampaignDraft => ({
  name: campaign.name,
  amount: Decimal.parse(campaign.amount).toString(),
  most: campaign.max_amount === null ? "" : Decimal.parse(campaign.max_amount).toString(),
  days: String(campaign.validity_days),
  opens: campaign.redemption_opens_at === null ? "" : localInputOf(campaign.redemption_opens_at),
  closes: localInputOf(campaign.redemption_closes_at),
});

const amountOf = (text: string): Decimal | undefined => {
  const typed = readTyped(text);
  return typed.kind === "amount" ? Decimal.parse(typed.tokens) : undefined;
};

const daysOf = (text: string): number | undefined => {
  const days = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return days >= 1 && days <= MOST_DAYS ? days : undefined;
};

function amountProblems({ amount, most }: CampaignDraft): CampaignProblems {
  const [usual, bound] = [amountOf(amount), amountOf(most)];
  const wrong = "An amount above 0 with at most 6 decimals.";
  return {
    ...(usual === undefined ? { amount: wrong } : {}),
    ...(most.trim() !== "" && bound === undefined ? { most: wrong } : {}),
    ...(usual !== undefined && bound !== undefined && usual.gt(bound) ? { most: "Not below the usual amount." } : {}),
  };
}

function windowProblems({ opens, closes }: CampaignDraft): CampaignProblems {
  const [from, to] = [isoOfLocalInput(opens), isoOfLocalInput(closes)];
  if (opens !== "" && from === undefined) return { opens: "Give day and time, or nothing." };
  if (to === undefined) return { closes: "Give day and time." };
  return from !== undefined && from >= to ? { closes: "Must be after the opening." } : {};
}

/** Everything that the exchange would refuse, by field. A new campaign needs a name of its own. */
export function problemsOfCampaign(draft: CampaignDraft, running: BonusCampaign, isNew: boolean): CampaignProblems {
  const name = draft.name.trim();
  return {
    ...(name === "" || [...name].length > MOST_NAME_CHARS ? { name: `1 to ${MOST_NAME_CHARS} characters.` } : {}),
    ...(isNew && name === running.name ? { name: "The running campaign has this name." } : {}),
    ...amountProblems(draft),
    ...(daysOf(draft.days) === undefined ? { days: `A whole number from 1 to ${MOST_DAYS}.` } : {}),
    ...windowProblems(draft),
  };
}

interface FieldWords {
  readonly field: CampaignField;
  readonly what: string;
  readonly say: (draft: CampaignDraft) => string;
  readonly send: (draft: CampaignDraft) => CampaignRequest;
}

const money = (text: string) => `${formatMoney(amountOf(text)?.toString() ?? "0", { rounding: "exact" })} USDT`;
const utc = (text: string) => formatUtc(isoOfLocalInput(text) ?? 0);

const FIELDS: readonly FieldWords[] = [
  { field: "name", what: "Name", say: ({ name }) => name.trim(), send: ({ name }) => ({ name: name.trim() }) },
  {
    field: "amount",
    what: "Usual amount for a wallet",
    say: ({ amount }) => money(amount),
    send: ({ amount }) => ({ amount: amountOf(amount)?.toString() ?? amount }),
  },
  {
    field: "most",
    what: "Most for a wallet",
    say: ({ most }) => (most.trim() === "" ? "no bound" : money(most)),
    send: ({ most }) => ({ max_amount: most.trim() === "" ? null : (amountOf(most)?.toString() ?? most) }),
  },
  {
    field: "days",
    what: "Days until a bonus expires",
    say: ({ days }) => String(daysOf(days)),
    send: ({ days }) => ({ validity_days: daysOf(days) ?? 0 }),
  },
  {
    field: "opens",
    what: "Codes are redeemed from",
    say: ({ opens }) => (opens === "" ? "the start" : utc(opens)),
    send: ({ opens }) => ({ redemption_opens_at: opens === "" ? null : (isoOfLocalInput(opens) ?? null) }),
  },
  {
    field: "closes",
    what: "Codes are redeemed until",
    say: ({ closes }) => utc(closes),
    send: ({ closes }) => ({ redemption_closes_at: isoOfLocalInput(closes) ?? "" }),
  },
];

export interface CampaignChange {
  readonly lines: readonly Change[];
  readonly request: CampaignRequest;
}

/** Only what is another than before. */
export function changeOfCampaign(campaign: BonusCampaign, draft: CampaignDraft): CampaignChange {
  const before = draftOfCampaign(campaign);
  const changed = FIELDS.filter(({ say }) => say(before) !== say(draft));
  return {
    lines: changed.map(({ what, say }) => ({ what, before: say(before), after: say(draft) })),
    request: Object.assign({}, ...changed.map(({ send }) => send(draft))),
  };
}

/** All of it, for a campaign that begins. */
export const beginCampaign = (draft: CampaignDraft): CampaignChange => ({
  lines: FIELDS.map(({ what, say }) => ({ what, after: say(draft) })),
  request: Object.assign({ new: true }, ...FIELDS.map(({ send }) => send(draft))),
});
