import assert from "node:assert/strict";
import { sql } from "kysely";
import { createTestPlatform, type TestPlatform } from "../../../testing/test-platform.ts";

/** The points program's administration over HTTP. */
export class AdminScene {
  readonly platform: TestPlatform;
  readonly #token: string;

  private constructor(platform: TestPlatform, token: string) {
    this.platform = platform;
    this.#token = token;
  }

  static async open(): Promise<AdminScene> {
    const platform = await createTestPlatform();
    return new AdminScene(platform, (await platform.adminSignIn()).access_token);
  }

  close(): Promise<void> {
    return this.platform.close();
  }

  async read<Body>(path: string): Promise<Body> {
    const reply = await this.platform.get(`/api/v1/points/admin${path}`, this.#token);
    assert.equal(reply.statusCode, 200, reply.body);
    return reply.json();
  }

  /** Without a token. */
  async levels(): Promise<{ level: number; weight: number }[]> {
    const reply = await this.platform.get("/api/v1/points/earn-level-config");
    assert.equal(reply.statusCode, 200, reply.body);
    return reply.json();
  }

  async set<Body>(path: string, payload: object): Promise<Body> {
    const reply = await this.#put(path, payload);
    assert.equal(reply.statusCode, 200, reply.body);
    return reply.json();
  }

  /** Asserts that the reply is this refusal and that nothing has changed. */
  async refuses(path: string, payload: object, code: string, text?: RegExp): Promise<void> {
    const before = await this.#fingerprint();
    const reply = await this.#put(path, payload);
    assert.deepEqual([reply.statusCode, reply.json().code], [400, code], `${JSON.stringify(payload)}: ${reply.body}`);
    if (text !== undefined) assert.match(reply.json().error, text);
    assert.equal(await this.#fingerprint(), before, "a refused request has changed something");
  }

  async lastAudit(): Promise<Record<string, unknown>> {
    const { rows } = await sql<Record<string, unknown>>`
      select action, role, target, before, after, reason from audit_log order by seq desc limit 1`.execute(
      this.platform.database.db,
    );
    return rows[0]!;
  }

  #put(path: string, payload: object) {
    const headers = { host: "127.0.0.1:8080", authorization: `Bearer ${this.#token}` };
    return this.platform.call({ method: "PUT", url: `/api/v1/points/admin${path}`, headers, payload });
  }

  /** Without what the projection writes when it comes to an earlier change in the log. */
  async #fingerprint(): Promise<string> {
    const { rows } = await sql<{ digest: string }>`
      select md5(concat(
        (select json_agg(l order by level) from points_level l)::text,
        (select jsonb_agg(to_jsonb(r) - 'from_command' order by version) from points_rule r)::text,
        (select jsonb_agg(to_jsonb(m) - 'is_in_force' order by address) from points_maker m where is_listed)::text,
        (select count(*) from audit_log)::text)) as digest`.execute(this.platform.database.db);
    return rows[0]!.digest;
  }
}
