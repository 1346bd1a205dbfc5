import type { SeasonChangeRequest, SeasonRequest } from "@bourse/api";
import { parseAddress } from "../../kernel/address.ts";
import { parseDateTime } from "../../kernel/date-time.ts";
import { parseUuid } from "../../kernel/uuid.ts";
import { refusals } from "../refusals.ts";
import { readLabel } from "../scoring/inputs.ts";

const MAX_LABEL_chars = 80;
const MAX_TOKENS = 10n ** 15n;
/** WIRE-2: zeros behind the point change nothing; a number's own text has an exponent only beyond what a pool holds. */
const WHOLE = /^(\d{1,16})(?:\.0*)?$/;

/** A UUID in lower case, as the database writes it. */
export function readSeasonId(text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw refusals.invalidField("id", "must be a UUID");
  return id;
}

export function readAddress(text: string): string {
  const address = parseAddress(text);
  if (address === undefined) throw refusals.invalidAddress();
  return address;
}

function readTokens(name: string, value: string | number): bigint {
  const tokens = BigInt(WHOLE.exec(String(value))?.[1] ?? -1);
  if (tokens < 0n || tokens > MAX_TOKENS) {
    throw refusals.invalidField(name, `must be a whole number from 0 to ${MAX_TOKENS}`);
  }
  return tokens;
}

function readTime(name: string, text: string): Date {
  const time_ms = parseDateTime(text);
  if (time_ms === undefined) throw refusals.invalidField(name, "must be an ISO 8601 time");
  return new Date(time_ms);
}

/** The values of an admin's request, as the table stores them. */
export interface SeasonInput {
  readonly season_no?: number;
  readonly label?: string;
  readonly start_epoch?: number;
  readonly end_epoch?: number;
  readonly user_pool_tokens?: bigint;
  readonly mm_pool_tokens?: bigint;
  readonly distribution_at?: Date;
}

/** Parses the given fields; the schema has checked integers. */
export function readSeasonInput(request: SeasonChangeRequest): SeasonInput {
  const { label, user_pool_tokens, mm_pool_tokens, distribution_at, season_no, start_epoch, end_epoch } = request;
  return {
    ...(season_no === undefined ? {} : { season_no }),
    ...(label === undefined ? {} : { label: readLabel("label", label, MAX_LABEL_chars) }),
    ...(start_epoch === undefined ? {} : { start_epoch }),
    ...(end_epoch === undefined ? {} : { end_epoch }),
    ...(user_pool_tokens === undefined ? {} : { user_pool_tokens: readTokens("user_pool_tokens", user_pool_tokens) }),
    ...(mm_pool_tokens === undefined ? {} : { mm_pool_tokens: readTokens("mm_pool_tokens", mm_pool_tokens) }),
    ...(distribution_at === undefined ? {} : { distribution_at: readTime("distribution_at", distribution_at) }),
  };
}

/** Parses a new season; its number and its distribution time are optional. */
export const readNewSeason = ({ season_no, distribution_at, ...request }: SeasonRequest) => ({
  season_no,
  distribution_at: distribution_at === undefined ? undefined : readTime("distribution_at", distribution_at),
  label: readLabel("label", request.label, MAX_LABEL_chars),
  start_epoch: request.start_epoch,
  end_epoch: request.end_epoch,
  user_pool_tokens: readTokens("user_pool_tokens", request.user_pool_tokens),
  mm_pool_tokens: readTokens("mm_pool_tokens", request.mm_pool_tokens),
});
