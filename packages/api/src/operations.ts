import { type Static, Type } from "typebox";
import { CursorParameter, deprecated, LimitParameter, listFields } from "./lists.ts";
import { IsoTime } from "./shapes.ts";

const NullableText = Type.Union([Type.String(), Type.Null()]);

/** What a client needs to use this exchange and its chain, so that it hard-codes nothing. */
export const PublicConfig = Type.Object({
  env: Type.Union([Type.Literal("development"), Type.Literal("production")]),
  public_url: Type.String(),
  chain_id: Type.Integer({ examples: [43113] }),
  rpc_url: NullableText,
  contracts: Type.Object({ usdt: NullableText, earn: NullableText, referral: NullableText, vault: NullableText }),
  earn_poll_seconds: Type.Integer(),
  sign_in: Type.Object({ domain: Type.String(), uri: Type.String(), chain_id: Type.Integer() }),
});
export type PublicConfig = Static<typeof PublicConfig>;

export const Liveness = Type.Object({ status: Type.Literal("ok"), uptime_s: Type.Integer() });
export type Liveness = Static<typeof Liveness>;

export const Readiness = Type.Object({
  status: Type.Union([Type.Literal("ready"), Type.Literal("degraded"), Type.Literal("unavailable")]),
  checks: Type.Record(Type.String(), Type.Object({ ok: Type.Boolean(), detail: Type.String() })),
});
export type Readiness = Static<typeof Readiness>;

export const Job = Type.Object({
  name: Type.String(),
  schedule: Type.String(),
  watermark: Type.Union([IsoTime, Type.Null()], { description: "All work due up to this moment is done" }),
  next_due_at: IsoTime,
  last_started_at: Type.Union([IsoTime, Type.Null()]),
  last_finished_at: Type.Union([IsoTime, Type.Null()]),
  last_error: NullableText,
  consecutive_failures: Type.Integer(),
  running: Type.Boolean(),
});
export type Job = Static<typeof Job>;
export const JobList = Type.Object(listFields(Job, "All jobs", "jobs"));
export type JobList = Static<typeof JobList>;

export const AuditEntry = Type.Object({
  seq: Type.Integer(),
  at: IsoTime,
  actor: Type.String(),
  role: Type.String(),
  ip: NullableText,
  action: Type.String(),
  target: NullableText,
  before: Type.Unknown(),
  after: Type.Unknown(),
  reason: NullableText,
  request_id: NullableText,
  prev_hash: Type.String(),
  hash: Type.String(),
});
export type AuditEntry = Static<typeof AuditEntry>;
export const AuditLogQuery = Type.Object({
  limit: LimitParameter(),
  cursor: CursorParameter,
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      ...deprecated("cursor"),
      description: "Entries before this `seq`; older than `cursor`",
    }),
  ),
  actor: Type.Optional(Type.String()),
  action: Type.Optional(Type.String()),
});
export type AuditLogQuery = Static<typeof AuditLogQuery>;
export const AuditPage = Type.Object({
  ...listFields(AuditEntry, "Newest first", "entries"),
  next_before: Type.Union([Type.Integer(), Type.Null()], deprecated("next_cursor")),
});
export type AuditPage = Static<typeof AuditPage>;

export const ClockRequest = Type.Object({
  advance_ms: Type.Optional(Type.Integer({ minimum: 0, description: "Move forward by this", examples: [86_400_000] })),
  now: Type.Optional(Type.Union([Type.Integer(), Type.String()], { description: "Move forward to this time" })),
});
export type ClockRequest = Static<typeof ClockRequest>;
export const JobRun = Type.Object({
  name: Type.String(),
  due_at: IsoTime,
  ok: Type.Boolean(),
  result: Type.Unknown(),
  error: NullableText,
});
export type JobRun = Static<typeof JobRun>;
export const ClockReply = Type.Object({
  now: IsoTime,
  now_ms: Type.Integer(),
  advanced_ms: Type.Integer(),
  jobs_run: Type.Array(JobRun),
});
export type ClockReply = Static<typeof ClockReply>;
