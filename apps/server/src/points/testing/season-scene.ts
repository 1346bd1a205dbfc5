import assert from "node:assert/strict";
import type { AdminPointsSeason, PointsSeason } from "@bourse/api";
import { sql } from "kysely";
import { accepted } from "../../broker/partners/testing/scene.ts";
import type { TestPlatform } from "../../testing/test-platform.ts";

export const POINTS = "/api/v1/points";
export const ADMIN_SEASONS = `${POINTS}/admin/seasons`;
export const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

interface AuditRow {
  readonly action: string;
  readonly role: string;
  readonly target: string;
  readonly before: Partial<PointsSeason> | null;
  readonly after: Partial<PointsSeason> | null;
}

/** Seasons over HTTP, for admins and for everybody. */
export class SeasonScene {
  readonly platform: TestPlatform;
  #token: string;

  private constructor(platform: TestPlatform, token: string) {
    this.platform = platform;
    this.#token = token;
  }

  static async on(platform: TestPlatform): Promise<SeasonScene> {
    return new SeasonScene(platform, (await platform.adminSignIn()).access_token);
  }

  send(method: "POST" | "PUT", url: string, payload?: object) {
    const headers = { host: "127.0.0.1:8080", authorization: `Bearer ${this.#token}` };
    return this.platform.call({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  }

  draft(change: object = {}): object {
    const pools = { user_pool_tokens: 1000, mm_pool_tokens: "500" };
    return { label: "Season", start_epoch: 30, end_epoch: 31, ...pools, ...change };
  }

  async create(change: object): Promise<AdminPointsSeason> {
    return accepted(await this.send("POST", ADMIN_SEASONS, this.draft(change)));
  }

  async change({ season_id }: Pick<PointsSeason, "season_id">, change: object): Promise<AdminPointsSeason> {
    return accepted(await this.send("PUT", `${ADMIN_SEASONS}/${season_id}`, change));
  }

  async complete({ season_id }: Pick<PointsSeason, "season_id">): Promise<AdminPointsSeason> {
    return accepted(await this.send("POST", `${ADMIN_SEASONS}/${season_id}/complete`));
  }

  async list(): Promise<PointsSeason[]> {
    return accepted(await this.platform.get(`${POINTS}/seasons`));
  }

  async adminList(): Promise<AdminPointsSeason[]> {
    return accepted(await this.platform.get(ADMIN_SEASONS, this.#token));
  }

  /** Moves the clock and signs in again, because tokens expire. */
  async moveTo(now: number): Promise<void> {
    accepted(await this.platform.post("/api/v1/dev/clock", { now }));
    this.#token = (await this.platform.adminSignIn()).access_token;
  }

  /** Asserts that the reply is this refusal and that nothing has changed. */
  async refuses(method: "POST" | "PUT", url: string, payload: object, status: number, code: string): Promise<void> {
    const before = await this.fingerprint();
    const reply = await this.send(method, url, payload);
    const what = `${JSON.stringify(payload)}: ${reply.body}`;
    assert.deepEqual([reply.statusCode, reply.json().code], [status, code], what);
    assert.equal(await this.fingerprint(), before, "a refused request has changed something");
  }

  /** A digest of everything that a request about seasons could change. */
  async fingerprint(): Promise<string> {
    const { rows } = await sql<{ digest: string }>`
      select md5(concat((select json_agg(s order by season_no) from points_season s)::text,
        (select json_agg(t order by scope, period, address) from points_total t)::text,
        (select count(*) from audit_log)::text)) as digest`.execute(this.platform.database.db);
    return rows[0]!.digest;
  }

  async lastAudit(): Promise<AuditRow> {
    const { rows } = await sql<AuditRow>`
      select action, role, target, before, after from audit_log order by seq desc limit 1`.execute(
      this.platform.database.db,
    );
    return rows[0]!;
  }
}
