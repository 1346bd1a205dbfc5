import type { AdminPointsSeason, SeasonChangeRequest, SeasonRequest } from "@bourse/api/client";
import type { Change } from "../../kit/dialog.tsx";
import { groupDigits } from "../../lib/format.ts";
import { isoOfLocalInput, localInputOf } from "../../lib/local-time.ts";
import { formatUtc } from "../../lib/time.ts";
import type { EpochCalendar } from "./epochs.ts";

/** A season as it is typed. */
export interface SeasonDraft {
  readonly number: string;
  readonly label: string;
  readonly start: string;
  readonly end: string;
  readonly userPool: string;
  readonly makerPool: string;
  /** In the operator's zone; empty: 72 hours after the end. */
  readonly distribution: string;
}

export type SeasonField = keyof SeasonDraft;
export type SeasonProblems = Readonly<Partial<Record<SeasonField, string>>>;

const MOST_LABEL_CHARS = 80;
const MOST_EPOCH = 10_000;
const MOST_NUMBER = 1_000_000;
const MOST_TOKENS = 10n ** 15n;
const YEAR_MS = 365 * 86_400_000;

/** PTS-2: what an admin may still change. */
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

/** A whole number as people type it, with commas between its digits. */
export function wholeOf(text: string, least: bigint, most: bigint): bigint | undefined {
  const plain = text.trim().replaceAll(",", "");
  if (!/^\d{1,18}$/.test(plain)) return undefined;
  const whole = BigInt(plain);
  return whole >= least && whole <= most ? whole : undefined;
}

const epochOf = (text: string): number | undefined => {
  const epoch = wholeOf(text, 1n, BigInt(MOST_EPOCH));
  return epoch === undefined ? undefined : Number(epoch);
};

type Span = Pick<AdminPointsSeason, "start_epoch" | "end_epoch" | "label" | "season_no">;

function rangeProblems(
  { start, end }: SeasonDraft,
  calendar: EpochCalendar | undefined,
  others: readonly Span[],
): SeasonProblems {
  const [first, last] = [epochOf(start), epochOf(end)];
  const whole = `A whole number from 1 to ${groupDigits(String(MOST_EPOCH))}.`;
  if (first === undefined || last === undefined) {
    return { ...(first === undefined ? { start: whole } : {}), ...(last === undefined ? { end: whole } : {}) };
  }
  if (last < first) return { end: "Not before its first epoch." };
  if (calendar !== undefined && last < calendar.current) return { end: `Over: epoch ${calendar.current} is running.` };
  const taken = others.find(({ start_epoch, end_epoch }) => start_epoch <= last && end_epoch >= first);
  return taken === undefined
    ? {}
    : { start: `Epochs ${taken.start_epoch} – ${taken.end_epoch} belong to ${taken.label}.` };
}

function distributionProblem(
  { distribution, end }: SeasonDraft,
  calendar: EpochCalendar | undefined,
): string | undefined {
  if (distribution === "") return undefined;
  const iso = isoOfLocalInput(distribution);
  if (iso === undefined) return "Give day and time, or nothing.";
  const last = epochOf(end);
  if (last === undefined || calendar === undefined) return undefined;
  const delay_ms = Date.parse(iso) - calendar.end_ms(last);
  if (delay_ms < 0) return "Not before its last epoch is over.";
  return delay_ms > YEAR_MS ? "Within a year after its last epoch." : undefined;
}

/** Everything that the exchange would refuse, by field. `others` are the seasons beside it. */
export function problemsOfSeason(
  draft: SeasonDraft,
  calendar: EpochCalendar | undefined,
  others: readonly Span[],
): SeasonProblems {
  const label_chars = [...draft.label.trim()].length;
  const number = draft.number.trim() === "" ? undefined : wholeOf(draft.number, 1n, BigInt(MOST_NUMBER));
  const isTaken = others.some(({ season_no }) => String(season_no) === String(number));
  const distribution = distributionProblem(draft, calendar);
  const tokens = "A whole number of tokens up to 10^15.";
  return {
    ...(draft.number.trim() !== "" && number === undefined
      ? { number: `1 to ${groupDigits(String(MOST_NUMBER))}.` }
      : {}),
    ...(isTaken ? { number: "There is a season with this number." } : {}),
    ...(label_chars < 1 || label_chars > MOST_LABEL_CHARS ? { label: `1 to ${MOST_LABEL_CHARS} characters.` } : {}),
    ...rangeProblems(draft, calendar, others),
    ...(wholeOf(draft.userPool, 0n, MOST_TOKENS) === undefined ? { userPool: tokens } : {}),
    ...(wholeOf(draft.makerPool, 0n, MOST_TOKENS) === undefined ? { makerPool: tokens } : {}),
    ...(distribution === undefined ? {} : { distribution }),
  };
}

/** The same for a season that is there. A distribution that is left alone moves along with the end. */
export function problemsOfChange(
  season: AdminPointsSeason,
  draft: SeasonDraft,
  calendar: EpochCalendar | undefined,
  others: readonly Span[],
): SeasonProblems {
  const isLeftAlone = draft.distribution === draftOfSeason(season).distribution;
  const found = problemsOfSeason(isLeftAlone ? { ...draft, distribution: "" } : draft, calendar, others);
  const open = CHANGEABLE[season.status];
  // What cannot be changed any more was right once: an end that lies in the past is no mistake of the operator.
  const kept = Object.entries(found).filter(([field]) => open.includes(field as SeasonField));
  const hasNoNumber = draft.number.trim() === "" ? { number: "Give its number." } : {};
  return { ...Object.fromEntries(kept), ...hasNoNumber };
}

const tokensText = (text: string) => String(wholeOf(text, 0n, MOST_TOKENS) ?? text);

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
    ...(draft.number.trim() === "" ? {} : { season_no: Number(wholeOf(draft.number, 1n, BigInt(MOST_NUMBER))) }),
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
  { field: "userPool", name: "user_pool_tokens", what: "Pool of everybody", say: asTokens },
  { field: "makerPool", name: "mm_pool_tokens", what: "Pool of market makers", say: asTokens },
  { field: "distribution", name: "distribution_at", what: "Handed out from", say: asUtc },
];

export const linesOfSeason = (draft: SeasonDraft): Change[] =>
  WORDS.map(({ field, what, say }) => ({ what, after: say(draft[field]) }));

/** Only what is another than before: as lines to be read, and as it is sent. */
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
        ? [{ what: "Handed out from", before: asUtc(before.distribution), after: "moves along with the end" }]
        : []),
    ],
    request: Object.fromEntries(changed.map(({ name }) => [name, sent[name]])),
  };
}
