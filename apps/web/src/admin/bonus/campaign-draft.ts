import type { BonusCampaign, CampaignRequest } from "@bourse/api/client";
import { readTyped } from "../../chain/tokens.ts";
import type { Change } from "../../kit/dialog.tsx";
import { type Problems, problemsIn } from "../../kit/draft.ts";
import { Decimal } from "../../lib/decimal.ts";
import { formatMoney } from "../../lib/format.ts";
import { isoOfLocalInput, localInputOf } from "../../lib/local-time.ts";
import { formatUtc } from "../../lib/time.ts";
import { isText, wholeIn } from "../frame/typed.ts";

/** A campaign as typed. */
export interface CampaignDraft {
  readonly name: string;
  readonly amount: string;
  /** Empty: no limit. */
  readonly max: string;
  readonly days: string;
  /** Empty: open from the start. */
  readonly opens: string;
  readonly closes: string;
}

const MAX_NAME_CHARS = 100;
const MAX_DAYS = 365;

export const draftOfCampaign = (campaign: BonusCampaign): CampaignDraft => ({
  name: campaign.name,
  amount: Decimal.parse(campaign.amount).toString(),
  max: campaign.max_amount === null ? "" : Decimal.parse(campaign.max_amount).toString(),
  days: String(campaign.validity_days),
  opens: campaign.redemption_opens_at === null ? "" : localInputOf(campaign.redemption_opens_at),
  closes: localInputOf(campaign.redemption_closes_at),
});

const amountOf = (text: string): Decimal | undefined => {
  const typed = readTyped(text);
  return typed.kind === "amount" ? Decimal.parse(typed.tokens) : undefined;
};

const daysOf = (text: string): number | undefined => wholeIn(text, MAX_DAYS);

/** Everything that the exchange would refuse. A new campaign needs a name of its own. */
export function problemsOfCampaign(
  draft: CampaignDraft,
  running: BonusCampaign,
  isNew: boolean,
): Problems<CampaignDraft> {
  const name = draft.name.trim();
  const [usual, max] = [amountOf(draft.amount), amountOf(draft.max)];
  const [from, to] = [isoOfLocalInput(draft.opens), isoOfLocalInput(draft.closes)];
  const wrongAmount = "An amount above 0 with at most 6 decimals.";
  return problemsIn<CampaignDraft>({
    name:
      (!isText(name, MAX_NAME_CHARS) && `1 to ${MAX_NAME_CHARS} characters.`) ||
      (isNew && name === running.name && "The running campaign has this name."),
    amount: usual === undefined && wrongAmount,
    max:
      (draft.max.trim() !== "" && max === undefined && wrongAmount) ||
      (usual !== undefined && max !== undefined && usual.gt(max) && "Not below the usual amount."),
    days: daysOf(draft.days) === undefined && `A whole number from 1 to ${MAX_DAYS}.`,
    opens: draft.opens !== "" && from === undefined && "Give day and time, or nothing.",
    closes:
      (to === undefined && "Give day and time.") ||
      (from !== undefined && to !== undefined && from >= to && "Must be after the opening."),
  });
}

interface FieldWords {
  readonly what: string;
  readonly say: (draft: CampaignDraft) => string;
  readonly send: (draft: CampaignDraft) => CampaignRequest;
}

const money = (text: string) => `${formatMoney(amountOf(text)?.toString() ?? "0", { rounding: "exact" })} USDT`;
const utc = (text: string) => formatUtc(isoOfLocalInput(text) ?? 0);

const FIELDS: readonly FieldWords[] = [
  { what: "Name", say: ({ name }) => name.trim(), send: ({ name }) => ({ name: name.trim() }) },
  {
    what: "Usual amount for a wallet",
    say: ({ amount }) => money(amount),
    send: ({ amount }) => ({ amount: amountOf(amount)?.toString() ?? amount }),
  },
  {
    what: "Maximum for a wallet",
    say: ({ max }) => (max.trim() === "" ? "no limit" : money(max)),
    send: ({ max }) => ({ max_amount: max.trim() === "" ? null : (amountOf(max)?.toString() ?? max) }),
  },
  {
    what: "Days until a bonus expires",
    say: ({ days }) => String(daysOf(days)),
    send: ({ days }) => ({ validity_days: daysOf(days) ?? 0 }),
  },
  {
    what: "Codes can be redeemed from",
    say: ({ opens }) => (opens === "" ? "the start" : utc(opens)),
    send: ({ opens }) => ({ redemption_opens_at: opens === "" ? null : (isoOfLocalInput(opens) ?? null) }),
  },
  {
    what: "Codes can be redeemed until",
    say: ({ closes }) => utc(closes),
    send: ({ closes }) => ({ redemption_closes_at: isoOfLocalInput(closes) ?? "" }),
  },
];

export interface CampaignChange {
  readonly lines: readonly Change[];
  readonly request: CampaignRequest;
}

/** Only what differs from the running campaign. */
export function changeOfCampaign(campaign: BonusCampaign, draft: CampaignDraft): CampaignChange {
  const before = draftOfCampaign(campaign);
  const changed = FIELDS.filter(({ say }) => say(before) !== say(draft));
  return {
    lines: changed.map(({ what, say }) => ({ what, before: say(before), after: say(draft) })),
    request: Object.assign({}, ...changed.map(({ send }) => send(draft))),
  };
}

/** All fields, for a campaign that begins. */
export const beginCampaign = (draft: CampaignDraft): CampaignChange => ({
  lines: FIELDS.map(({ what, say }) => ({ what, after: say(draft) })),
  request: Object.assign({ new: true }, ...FIELDS.map(({ send }) => send(draft))),
});
