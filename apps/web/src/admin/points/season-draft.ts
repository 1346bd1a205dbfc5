import type { AdminPointsSeason, SeasonChangeRequest, SeasonRequest } from "@bourse/api/client";
import type { Change } from "../../kit/dialog.tsx";
import { type Problems, problemsIn } from "../../kit/draft.ts";
import { groupDigits } from "../../lib/format.ts";
import { isoOfLocalInput, localInputOf } from "../../lib/local-time.ts";
import { formatUtc } from "../../lib/time.ts";
import { isText, wholeIn, wholeOf } from "../frame/typed.ts";
import type { EpochCalendar } from "./epochs.ts";

/** A season as typed. */
export interface SeasonDraft {
  readonly number: string;
  readonly label: string;
  readonly start: string;
  readonly end: string;
  readonly userPool: string;
  readonly makerPool: string;
  /** In the local zone; empty: 72 hours after the end. */
  readonly distribution: string;
}

export type SeasonField = keyof SeasonDraft;

const MAX_LABEL_CHARS = 80;
const MAX_EPOCH = 10_000;
const MAX_NUMBER = 1_000_000;
const MAX_TOKENS = 10n ** 15n;
const YEAR_MS = 365 * 86_400_000;

/** PTS-2: what an admin can still change. */
export const CHANGEABLE: Readonly<Record<AdminPointsSeason["status"], readonly SeasonField[]>> = {
  pending: ["number", "label", "start", "end", "userPool", "makerPool", "distribution"],
  active: ["label", "end", "userPool", "makerPool", "distribution"],
  snapshot: ["label", "distribution"],
  distributing: ["label"],
  completed: ["label"],
};

export const EMPTY_SEASON: SeasonDraft = {
  number: "",
  label: "",
  start: "",
  end: "",
  userPool: "",
  makerPool: "0",
  distribution: "",
};

export const draftOfSeason = (season: AdminPointsSeason): SeasonDraft => ({
  number: String(season.season_no),
  label: season.label,
  start: String(season.start_epoch),
  end: String(season.end_epoch),
  userPool: String(season.user_pool_tokens),
  makerPool: String(season.mm_pool_tokens),
  distribution: season.distribution_at === null ? "" : localInputOf(season.distribution_at),
});

const epochOf = (text: string): number | undefined => wholeIn(text, MAX_EPOCH);

type Span = Pick<AdminPointsSeason, "start_epoch" | "end_epoch" | "label" | "season_no">;

interface Neighbours {
  readonly calendar: EpochCalendar | undefined;
  /** The other seasons. */
  readonly others: readonly Span[];
}

function rangeProblem(first: number, last: number, { calendar, others }: Neighbours): Problems<SeasonDraft> {
  if (last < first) return { end: "Not before its first epoch." };
  if (calendar !== undefined && last < calendar.current) return { end: `Over: epoch ${calendar.current} is running.` };
  const taken = others.find(({ start_epoch, end_epoch }) => start_epoch <= last && end_epoch >= first);
  if (taken === undefined) return {};
  return { start: `Epochs ${taken.start_epoch} – ${taken.end_epoch} belong to ${taken.label}.` };
}

function distributionProblem({ distribution, end }: SeasonDraft, calendar: EpochCalendar | undefined): string | false {
  if (distribution === "") return false;
  const iso = isoOfLocalInput(distribution);
  if (iso === undefined) return "Give day and time, or nothing.";
  const last = epochOf(end);
  if (last === undefined || calendar === undefined) return false;
  const delay_ms = Date.parse(iso) - calendar.end_ms(last);
  if (delay_ms < 0) return "Not before its last epoch is over.";
  return delay_ms > YEAR_MS && "Within a year after its last epoch.";
}

/** Everything that the exchange would refuse. `others` are the other seasons. */
export function problemsOfSeason(
  draft: SeasonDraft,
  calendar: EpochCalendar | undefined,
  others: readonly Span[],
): Problems<SeasonDraft> {
  const [first, last] = [epochOf(draft.start), epochOf(draft.end)];
  const hasNumber = draft.number.trim() !== "";
  const number = wholeIn(draft.number, MAX_NUMBER);
  const whole = `A whole number from 1 to ${groupDigits(String(MAX_EPOCH))}.`;
  const isTokens = (text: string) => wholeOf(text, 0n, MAX_TOKENS) !== undefined;
  const tokens = "A whole number of tokens up to 10^15.";
  return {
    ...problemsIn<SeasonDraft>({
      number:
        (hasNumber && number === undefined && `1 to ${groupDigits(String(MAX_NUMBER))}.`) ||
        (others.some(({ season_no }) => season_no === number) && "There is a season with this number."),
      label: !isText(draft.label, MAX_LABEL_CHARS) && `1 to ${MAX_LABEL_CHARS} characters.`,
      start: first === undefined && whole,
      end: last === undefined && whole,
      userPool: !isTokens(draft.userPool) && tokens,
      makerPool: !isTokens(draft.makerPool) && tokens,
      distribution: distributionProblem(draft, calendar),
    }),
    ...(first === undefined || last === undefined ? {} : rangeProblem(first, last, { calendar, others })),
  };
}

/** The same for an existing season. An unchanged distribution moves with the end. */
export function problemsOfChange(
  season: AdminPointsSeason,
  draft: SeasonDraft,
  calendar: EpochCalendar | undefined,
  others: readonly Span[],
): Problems<SeasonDraft> {
  const isLeftAlone = draft.distribution === draftOfSeason(season).distribution;
  const found = problemsOfSeason(isLeftAlone ? { ...draft, distribution: "" } : draft, calendar, others);
  const open = CHANGEABLE[season.status];
  // Fields that can no longer be changed were correct once: an end in the past is no error.
  const kept = Object.entries(found).filter(([field]) => open.includes(field as SeasonField));
  const hasNoNumber = draft.number.trim() === "" ? { number: "Give its number." } : {};
  return { ...Object.fromEntries(kept), ...hasNoNumber };
}

const tokensText = (text: string) => String(wholeOf(text, 0n, MAX_TOKENS) ?? text);

/** What is sent; only for a draft without a problem. */
export function requestOfSeason(draft: SeasonDraft): SeasonRequest {
  const iso = isoOfLocalInput(draft.distribution);
  return {
    label: draft.label.trim(),
    start_epoch: epochOf(draft.start) ?? 0,
    end_epoch: epochOf(draft.end) ?? 0,
    user_pool_tokens: tokensText(draft.userPool),
    mm_pool_tokens: tokensText(draft.makerPool),
    ...(iso === undefined ? {} : { distribution_at: iso }),
    ...(draft.number.trim() === "" ? {} : { season_no: wholeIn(draft.number, MAX_NUMBER) ?? 0 }),
  };
}

interface FieldWords {
  readonly field: SeasonField;
  readonly name: keyof SeasonChangeRequest;
  readonly what: string;
  readonly say: (text: string) => string;
}

const asIs = (text: string) => text.trim();
const asTokens = (text: string) => `${groupDigits(tokensText(text))} tokens`;
const asUtc = (text: string) => {
  const iso = isoOfLocalInput(text);
  return iso === undefined ? "72 hours after the end" : formatUtc(iso);
};

const WORDS: readonly FieldWords[] = [
  { field: "number", name: "season_no", what: "Number", say: (text) => (text.trim() === "" ? "the next one" : text) },
  { field: "label", name: "label", what: "Name", say: asIs },
  { field: "start", name: "start_epoch", what: "First epoch", say: asIs },
  { field: "end", name: "end_epoch", what: "Last epoch", say: asIs },
  { field: "userPool", name: "user_pool_tokens", what: "Traders' pool", say: asTokens },
  { field: "makerPool", name: "mm_pool_tokens", what: "Market makers' pool", say: asTokens },
  { field: "distribution", name: "distribution_at", what: "Distribution from", say: asUtc },
];

export const linesOfSeason = (draft: SeasonDraft): Change[] =>
  WORDS.map(({ field, what, say }) => ({ what, after: say(draft[field]) }));

/** Only what differs: as lines to read, and as sent. */
export function changeOfSeason(
  season: AdminPointsSeason,
  draft: SeasonDraft,
): { readonly lines: Change[]; readonly request: SeasonChangeRequest } {
  const before = draftOfSeason(season);
  const sent = requestOfSeason(draft);
  const changed = WORDS.filter(({ field, say }) => say(before[field]) !== say(draft[field]));
  const lines = changed.map(({ field, what, say }) => ({ what, before: say(before[field]), after: say(draft[field]) }));
  const fields = changed.map(({ field }) => field);
  const movesAlong = fields.includes("end") && !fields.includes("distribution");
  return {
    lines: [
      ...lines,
      ...(movesAlong
        ? [{ what: "Distribution from", before: asUtc(before.distribution), after: "moves with the end" }]
        : []),
    ],
    request: Object.fromEntries(changed.map(({ name }) => [name, sent[name]])),
  };
}
