import type { SeasonChangeRequest, SeasonRequest } from "@bourse/api";
import { parseAddress } from "../../identity/address.ts";
import { parseDateTime } from "../../identity/date-time.ts";
import { refusals } from "../refusals.ts";
import { readLabel } from "../scoring/inputs.ts";

const MOST_LABEL_chars = 80;
const MOST_TOKENS = 10n ** 15n;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** WIRE-2: zeros behind the point change nothing; a number's own text has an exponent only beyond what a pool holds. */
const WHOLE = /^(\d{1,16})(?:\.0*)?$/;

/** A UUID in lower case, the way the database writes it. */
export function readSeasonId(text: string): string {
  if (!UUID.test(text)) throw refusals.invalidField("id", "must be a UUID");
  return text.toLowerCase();
}

export function readAddress(text: string): string {
  const address = parseAddress(text);
  if (address === undefined) throw refusals.invalidAddress();
  return address;
}

function readTokens(name: string, value: string | number): bigint {
  const tokens = BigInt(WHOLE.exec(String(value))?.[1] ?? -1);
  if (tokens < 0n || tokens > MOST_TOKENS) {
    throw refusals.invalidField(name, `must be a whole number from 0 to ${MOST_TOKENS}`);
  }
  return tokens;
}

function readTime(name: string, text: string): Date {
  const time_ms = parseDateTime(text);
  if (time_ms === undefined) throw refusals.invalidField(name, "must be an ISO 8601 time");
  return new Date(time_ms);
}

/** What an admin has set, as the table holds it. */
export interface SeasonInput {
  readonly season_no?: number;
  readonly label?: string;
  readonly start_epoch?: number;
  readonly end_epoch?: number;
  readonly user_pool_tokens?: bigint;
  readonly mm_pool_tokens?: bigint;
  readonly distribution_at?: Date;
}

/** The fields that were given; whole numbers have been looked at by the schema. */
export function readSeasonInput(request: SeasonChangeRequest): SeasonInput {
  const { label, user_pool_tokens, mm_pool_tokens, distribution_at, season_no, start_epoch, end_epoch } = request;
  return {
    ...(season_no === undefined ? {} : { season_no }),
    ...(label === undefined ? {} : { label: readLabel("label", label, MOST_LABEL_chars) }),
    ...(start_epoch === undefined ? {} : { start_epoch }),
    ...(end_epoch === undefined ? {} : { end_epoch }),
    ...(user_pool_tokens === undefined ? {} : { user_pool_tokens: readTokens("user_pool_tokens", user_pool_tokens) }),
    ...(mm_pool_tokens === undefined ? {} : { mm_pool_tokens: readTokens("mm_pool_tokens", mm_pool_tokens) }),
    ...(distribution_at === undefined ? {} : { distribution_at: readTime("distribution_at", distribution_at) }),
  };
}

/** A new season: its number and its distribution may be left open. */
export const readNewSeason = ({ season_no, distribution_at, ...request }: SeasonRequest) => ({
  season_no,
  distribution_at: distribution_at === undefined ? undefined : readTime("distribution_at", distribution_at),
  label: readLabel("label", request.label, MOST_LABEL_chars),
  start_epoch: request.start_epoch,
  end_epoch: request.end_epoch,
  user_pool_tokens: readTokens("user_pool_tokens", request.user_pool_tokens),
  mm_pool_tokens: readTokens("mm_pool_tokens", request.mm_pool_tokens),
});
