import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { policyOf } from "../../apps/server/src/kernel/http/routes.ts";
import { type Description, describedRoutes, type Input, requestWith } from "./support/described-routes.ts";
import { openWorld, type World } from "./support/parties.ts";
import { HOST } from "./support/people.ts";

/** Texts that a statement or a decoder could interpret. */
const FOR_STATEMENTS: readonly string[] = [
  "' or '1'='1' --",
  "1; drop table staff; --",
  "1 union select password_hash from staff",
  "');select pg_sleep(4);--",
  "\\'; --",
  "$1",
  "a\u0000b",
  "\ud800",
];
/** Texts that a shell, a page, a template, a spreadsheet, a log, a header or a reader of numbers could interpret. */
const FOR_OTHERS: readonly string[] = [
  "a\u202eb",
  "a\r\nx-injected: yes",
  "<img src=x onerror=alert(1)>",
  '=HYPERLINK("http://x","y")',
  "$" + "{jndi:ldap://x}",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "x".repeat(3_000),
  "9".repeat(400),
  "1e400",
  "-1",
  "NaN",
  "0x10",
  "٣",
];
const HOSTILE_VALUES: readonly unknown[] = [
  {},
  [],
  null,
  true,
  -1,
  1e15,
  { $gt: "" },
  { toString: "x" },
  [["a"]],
  [null],
  { length: 1e9 },
];
/** It ends the session that the rest of the test uses. */
const EXCEPT = new Set(["POST /api/v1/auth/logout"]);
const SLOW_ms = 2_500;

/** Every input gets the texts for statements. The inputs of a route share the others out, two thirds to each. */
function textsFor(place: number, inputs: number): readonly string[] {
  const others = inputs === 1 ? FOR_OTHERS : FOR_OTHERS.filter((_, turn) => (turn + place) % 3 !== 0);
  return [...FOR_STATEMENTS, ...others];
}

describe("SEC-9: hostile texts in every input of every route", () => {
  let world: World;
  let tokens: Readonly<Record<"wallet" | "bd" | "admin", string>>;
  let description: Description;

  before(async () => {
    world = await openWorld();
    const { platform, victim } = world;
    description = (await platform.get("/openapi.json")).json();
    const admin = (await platform.adminSignIn()).access_token;
    tokens = { wallet: victim.tokens.access_token, bd: victim.bd.token, admin };
  });
  after(() => world.close());

  /** Ids that reach further into the code than invented ones: the product, the batch, the party's own things. */
  function better(name: string, sample: unknown): unknown {
    const { victim, productId, grantBatchId } = world;
    if (name === "product_id") return productId;
    if (name === "grant_batch_id") return grantBatchId;
    if (name === "orderId") return victim.orderId;
    if (name === "algoId") return victim.algoId;
    return sample;
  }

  function routes() {
    return describedRoutes(description)
      .filter(({ name }) => !EXCEPT.has(name))
      .map((route) => ({
        ...route,
        inputs: route.inputs.map((input): Input => ({ ...input, sample: better(input.name, input.sample) })),
      }));
  }

  async function send(name: string, request: ReturnType<typeof requestWith>) {
    const allow = policyOf(world.platform.app)[name]?.allow ?? assert.fail(`${name} is described and has no row`);
    const role =
      allow === "anyone" ? undefined : (["wallet", "bd", "admin"] as const).find((one) => allow.includes(one));
    const began = performance.now();
    const reply = await world.platform.call({
      ...request,
      headers: {
        host: HOST,
        ...(role === undefined ? {} : { authorization: `Bearer ${tokens[role]}` }),
        ...(request.payload === undefined ? {} : { "content-type": "application/json" }),
      },
    });
    return { reply, took_ms: performance.now() - began };
  }

  const untouchable = async () => {
    const { rows } = await sql<{ staff: string; sessions: string; wallets: string }>`
      select (select string_agg(username || status || password_hash, ',' order by username) from staff
          where username in ('admin', 'bd-victim', 'bd-attacker')) as staff,
        (select count(*)::text from session where revoked_at is not null) as sessions,
        (select count(*)::text from wallet) as wallets`.execute(world.platform.database.db);
    return rows[0];
  };

  it("none of them breaks a statement, takes long, comes back as a header or reveals internals", async (t) => {
    const before_ = await untouchable();
    const policy = policyOf(world.platform.app);
    let sent = 0;
    const problems: string[] = [];
    for (const route of routes()) {
      for (const [place, input] of route.inputs.entries()) {
        const texts = textsFor(place, route.inputs.length);
        const values = input.place === "body" ? [...texts, ...HOSTILE_VALUES] : texts;
        for (const value of values) {
          const { reply, took_ms } = await send(route.name, requestWith(route, input, value));
          sent += 1;
          const what = `${route.name} ${input.place}.${input.name}=${JSON.stringify(value)?.slice(0, 40)}`;
          const { statusCode: status, body, headers } = reply;
          if (status >= 500) problems.push(`${what}: ${status} ${body.slice(0, 200)}`);
          if (took_ms > SLOW_ms) problems.push(`${what}: took ${Math.round(took_ms)} ms`);
          if (headers["x-injected"] !== undefined) problems.push(`${what}: became a header`);
          if (/node_modules|\.ts:\d|at async|syntax error|pg_catalog/.test(body)) problems.push(`${what}: ${body}`);
          if (status === 401 && policy[route.name]?.allow !== "anyone") problems.push(`${what}: signed out`);
        }
      }
    }
    t.diagnostic(`${sent} requests`);
    assert.deepEqual(problems, []);
    assert.ok(sent > 10_000, `only ${sent} requests were sent`);
    assert.deepEqual(await untouchable(), before_);
  });

  it("SEC-8: a name that no entry of the audit log can have is 400, and others are looked for as they are", async () => {
    const ask = (query: string) => world.platform.get(`/api/v1/admin/audit-log?${query}`, tokens.admin);
    for (const text of ["a%00b", "a%0Ab", "%E2%80%AE"]) {
      for (const field of ["actor", "action"]) assert.equal((await ask(`${field}=${text}`)).statusCode, 400, text);
    }
    for (const text of ["'%20or%20'1'='1", "%25", "staff.creat_"]) {
      const reply = await ask(`action=${text}`);
      assert.deepEqual([reply.statusCode, reply.json().entries], [200, []], text);
    }
    assert.notEqual((await ask("action=staff.create")).json().entries.length, 0);
  });
});
