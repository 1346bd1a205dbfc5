import { AuditLogQuery, AuditPage, type Job, JobList, Liveness, PublicConfig, Readiness } from "@bourse/api";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Db } from "../kernel/database/database.ts";
import { badRequest } from "../kernel/errors.ts";
import { admin, anyone, open } from "../kernel/http/access.ts";
import type { App } from "../kernel/http/app.ts";
import type { Scheduler } from "../kernel/jobs/scheduler.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { PageCursors } from "../kernel/page-cursor.ts";
import { pageOf, pageReply, wholeReply } from "../kernel/pages.ts";
import { UNPRINTABLE } from "../kernel/plain-text.ts";
import { type Check, judgeReadiness } from "../kernel/readiness.ts";
import type { Settings } from "../settings/settings.ts";

const tags = ["Operations"];
const isoOrNull = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());

/** RUN-7: health, readiness and metrics. */
export function registerHealthRoutes(
  app: App,
  { checks, metrics }: { checks: readonly Check[]; metrics: Metrics },
): void {
  app.get(
    "/healthz",
    {
      config: { access: open, client: "operations.liveness" },
      schema: { tags, summary: "The process answers", response: { 200: Liveness } },
    },
    () => ({
      status: "ok" as const,
      uptime_s: Math.floor(process.uptime()),
    }),
  );

  app.get(
    "/readyz",
    {
      config: { access: open, client: "operations.readiness" },
      schema: { tags, summary: "Whether each part can serve", response: { 200: Readiness, 503: Readiness } },
    },
    async (_request, reply) => {
      const readiness = await judgeReadiness(checks);
      return reply.code(readiness.status === "unavailable" ? 503 : 200).send(readiness);
    },
  );

  app.get(
    "/metrics",
    { config: { access: open }, schema: { tags, summary: "Prometheus metrics", hide: true } },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
  );
}

/** The addresses of the chain and the contracts for clients. */
export interface ChainPlace {
  readonly rpcUrl: string;
  readonly contracts: Readonly<Record<"usdt" | "earn" | "referral" | "vault", string>>;
}

/** RUN-8: what a client must know before it can use this exchange. */
export function registerConfigRoute(app: App, settings: Settings, { rpcUrl, contracts }: ChainPlace): void {
  const config: PublicConfig = {
    env: settings.environment,
    public_url: settings.publicUrl,
    chain_id: settings.chainId,
    rpc_url: rpcUrl,
    contracts: {
      usdt: contracts.usdt,
      earn: contracts.earn,
      referral: contracts.referral,
      vault: contracts.vault,
    },
    earn_poll_seconds: settings.earnPoll_s,
    sign_in: { domain: new URL(settings.publicUrl).host, uri: settings.publicUrl, chain_id: settings.chainId },
  };
  app.get(
    "/api/v1/config",
    {
      config: { access: anyone, client: "operations.config" },
      schema: { tags, summary: "Public configuration for clients", response: { 200: PublicConfig } },
    },
    () => config,
  );
}

export interface AdminRoutesOptions {
  readonly db: Db;
  readonly audit: AuditLog;
  readonly scheduler: Scheduler;
  readonly cursors: PageCursors;
}

/** A name to filter by. Control characters are refused, because the database cannot store all of them. */
function readName(field: "actor" | "action", name: string | undefined) {
  if (name === undefined) return {};
  if (UNPRINTABLE.test(name)) throw badRequest(`${field} must have no control characters`, { rule: field });
  return { [field]: name };
}

/** What operators read: the audit log and the state of the background jobs. */
export function registerAdminRoutes(app: App, { db, audit, scheduler, cursors }: AdminRoutesOptions): void {
  app.get(
    "/api/v1/admin/audit-log",
    {
      config: { access: admin, client: "operations.auditLog" },
      schema: {
        tags,
        summary: "The audit log, newest first",
        querystring: AuditLogQuery,
        response: { 200: AuditPage },
      },
    },
    async ({ query }) => {
      const { limit, cursor, before } = query;
      const filter = { ...readName("actor", query.actor), ...readName("action", query.action) };
      const part = { limit, cursor, after: before === undefined ? undefined : [before] };
      const page = await pageOf(cursors, part, {
        name: ["audit-log", query.actor ?? "", query.action ?? ""],
        read: (after, most) =>
          audit.list(db, { ...filter, limit: most, ...(after && { before_seq: BigInt(after[0]!) }) }),
        count: () => audit.count(db, filter),
        positionOf: ({ seq }) => [Number(seq)],
      });
      const reply = pageReply(page, (row) => ({ ...row, seq: Number(row.seq), at: row.at.toISOString() }), "entries");
      return { ...reply, next_before: page.nextCursor === null ? null : (reply.items.at(-1)?.seq ?? null) };
    },
  );

  app.get(
    "/api/v1/admin/jobs",
    {
      config: { access: admin, client: "operations.jobs" },
      schema: { tags, summary: "Background jobs with their last run and errors", response: { 200: JobList } },
    },
    () => {
      const jobs = scheduler.list().map(
        (job): Job => ({
          name: job.name,
          schedule: job.schedule,
          watermark: isoOrNull(job.watermark_ms),
          next_due_at: new Date(job.nextDue_ms).toISOString(),
          last_started_at: isoOrNull(job.lastStarted_ms),
          last_finished_at: isoOrNull(job.lastFinished_ms),
          last_error: job.lastError ?? null,
          consecutive_failures: job.consecutiveFailures,
          running: job.isRunning,
        }),
      );
      return wholeReply(jobs, "jobs");
    },
  );
}
