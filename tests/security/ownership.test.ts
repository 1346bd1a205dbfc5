import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { policyOf } from "../../apps/server/src/kernel/http/routes.ts";
import { matrix } from "./support/matrix.ts";
import { marksOf, openWorld, type Party, type World } from "./support/parties.ts";
import { type Call, callSigned, callWith, type Method, type Reply } from "./support/people.ts";
import { type Attack, type By, claimsOf, type Named, NOBODY, namesOf } from "./support/rows.ts";

const routeOf = (route: string): { method: Method; path: string } => {
  const [method = "", path = ""] = route.split(" ");
  return { method: method as Method, path };
};

/** Replaces ids in a reply, so that a refusal can be compared with that of something that does not exist. */
function withoutNames(text: string, names: Named): string {
  const own = Object.values(names)
    .map(String)
    .filter((name) => name.length > 3);
  return own.sort((one, other) => other.length - one.length).reduce((rest, name) => rest.replaceAll(name, "…"), text);
}

/** What the victim reads of its own; the actions of others must change none of it. */
const VIEWS = Object.entries(matrix).flatMap(([route, row]) => {
  const isAlias = matrix[route.replace(" ", " /api/v1")] !== undefined;
  return row.kind === "own" && !isAlias ? [{ route, row }] : [];
});

describe("SEC-6: what belongs to one party is out of the other's reach", () => {
  let world: World;
  /** The victim's replies before the first attack: no attack may change them, so they serve for all. */
  let untouched: Record<string, string> | undefined;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.close());

  function send(party: Party, by: By, call: Call): Promise<Reply> {
    const { platform } = world;
    if (by === "key") return callSigned(platform, party.key, call);
    return callWith(platform, by === "bd" ? party.bd.token : party.tokens.access_token, call);
  }

  async function stateOf(party: Party): Promise<Record<string, string>> {
    const state: Record<string, string> = {};
    for (const { route, row } of VIEWS) {
      const { text } = await send(party, row.by, { ...routeOf(route), query: row.query });
      state[route] = text;
    }
    const { rows } = await sql<{ sessions: string; audit: string }>`
      select (select count(*) || ':' || count(revoked_at) from session where subject in (${party.address}, ${party.bd.id}))
        as sessions,
        (select count(*)::text from audit_log where actor in (${party.address}, ${party.bd.id})) as audit`.execute(
      world.platform.database.db,
    );
    return { ...state, ...rows[0] };
  }

  /** The board and the platform's own figures may change; the victim's may not. */
  async function leavesAlone<Result>(victim: Party, action: () => Promise<Result>): Promise<Result> {
    untouched ??= await stateOf(victim);
    const result = await action();
    assert.deepEqual(await stateOf(victim), untouched, "something of the victim's has changed");
    return result;
  }

  function assertSilent({ text }: Reply, victim: Party): void {
    for (const mark of marksOf(victim)) {
      assert.ok(!text.toLowerCase().includes(mark.toLowerCase()), `the reply has the victim's ${mark}: ${text}`);
    }
  }

  async function assertRefusedLikeNothing(attack: Attack, status: number): Promise<void> {
    const { attacker, victim } = world;
    const { by = "wallet" } = attack;
    const names = namesOf(victim);
    const reply = await send(attacker, by, attack.call(names, world));
    assert.equal(reply.status, status, reply.text);
    const nothing = await send(attacker, by, attack.call(NOBODY, world));
    const words = [withoutNames(reply.text, names), withoutNames(nothing.text, NOBODY)];
    assert.equal(words[0], words[1], "a refusal shows whether the thing exists");
  }

  async function assertPassesAsOwn(attack: Attack): Promise<void> {
    const { attacker, victim } = world;
    const reply = await send(attacker, attack.by ?? "wallet", attack.call(namesOf(victim), world));
    assert.equal(reply.status, 200, reply.text);
    assertSilent(reply, victim);
  }

  it("every route has its row, and no row is without a route", () => {
    assert.deepEqual(Object.keys(matrix).sort(), Object.keys(policyOf(world.platform.app)).sort());
  });

  it("the rows say of each route what the route says of itself", () => {
    const policy = policyOf(world.platform.app);
    for (const [route, row] of Object.entries(matrix)) {
      const { allow } = policy[route]!;
      if (row.kind === "staff") assert.deepEqual(allow, ["admin"], route);
      if (row.kind === "own" && allow !== "anyone") {
        assert.ok(allow.includes(row.by === "bd" ? "bd" : "wallet"), route);
      }
      // Every route that takes an id in its path and is not open to anyone must have been attacked by that id.
      if (allow !== "anyone" && route.includes(":")) assert.ok(row.kind !== "own", `${route} takes a name`);
    }
  });

  it("the victim has one of everything, so that there is something to take", async () => {
    const { victim } = world;
    for (const { route, row } of VIEWS) {
      const reply = await send(victim, row.by, { ...routeOf(route), query: row.query });
      assert.equal(reply.status, 200, `${route}: ${reply.text}`);
      const isMarked = marksOf(victim).some((mark) => reply.text.toLowerCase().includes(mark.toLowerCase()));
      if (row.shows) assert.ok(isMarked, `${route} shows the victim nothing of its own: ${reply.text}`);
    }
  });

  for (const [route, row] of Object.entries(matrix)) {
    if (row.kind !== "own") continue;
    it(`${route} is the caller's own, even if the request names another party`, async () => {
      const { victim, attacker } = world;
      const ask = (query: Readonly<Record<string, string>>) =>
        send(attacker, row.by, { ...routeOf(route), query: { ...row.query, ...query } });
      const own = await ask({});
      assert.equal(own.status, 200, own.text);
      assertSilent(own, victim);
      for (const [name, value] of Object.entries(claimsOf(namesOf(victim)))) {
        const claimed = await ask({ [name]: value });
        assert.equal(claimed.text, own.text, `${route} answers otherwise with ${name}`);
      }
    });
  }

  for (const [route, row] of Object.entries(matrix)) {
    if (row.kind !== "attacked") continue;
    for (const attack of row.attacks) {
      it(`${route}, by ${attack.by ?? "wallet"}: ${attack.tries}`, async () => {
        await leavesAlone(world.victim, async () => {
          if (attack.refused !== undefined) await assertRefusedLikeNothing(attack, attack.refused);
          else await assertPassesAsOwn(attack);
        });
        await restore(route);
      });
    }
  }

  /** Restores what an attack took from the attacker itself, if a later attack needs it. */
  async function restore(route: string): Promise<void> {
    const { attacker, platform } = world;
    if (route === "POST /api/v1/auth/logout") {
      const login = { username: attacker.bd.username, password: "a long password of a BD" };
      attacker.bd.token = (await platform.post("/api/v1/broker/auth/login", login)).json().access_token;
    }
    if (route.endsWith("/asyn")) {
      // An account gets one file at a time.
      assert.equal((await platform.post("/api/v1/dev/jobs/downloads/run")).json().ok, true);
    }
    if (route === "DELETE /fapi/v1/listenKey") {
      await send(attacker, "wallet", { method: "POST", path: "/fapi/v1/listenKey" });
    }
  }

  it("a countdown that has run out cancels the orders of its own account only", async () => {
    const { attacker, victim } = world;
    await leavesAlone(victim, async () => {
      const query = { symbol: "BTCUSDT", countdownTime: "1", ...claimsOf(namesOf(victim)) };
      assert.equal(
        (await send(attacker, "key", { method: "POST", path: "/fapi/v1/countdownCancelAll", query })).status,
        200,
      );
      await sleep(50);
    });
  });

  it("WIRE-8: the end of a page of the other's list opens nothing, nor does a changed one of the own", async () => {
    const { attacker, victim } = world;
    const lists = ["/account/orders", "/account/trades", "/account/income", "/api/v1/orders", "/api/v1/account/orders"];
    for (const path of lists) {
      const page = (party: Party, query: Readonly<Record<string, string>>) =>
        send(party, "wallet", { method: "GET", path, query: { limit: "1", ...query } });
      const cursor = String((await page(victim, {})).body["next_cursor"]);
      assert.match(cursor, /^[\w-]{20,}$/, `${path} has a second page`);
      assert.equal((await page(victim, { cursor })).status, 200, path);
      for (const tried of [cursor, `${cursor.slice(0, -2)}AA`, `A${cursor.slice(1)}`, `${cursor}AA`, "", "e30"]) {
        const reply = await page(attacker, { cursor: tried });
        assert.equal(reply.status, 400, `${path} with ${tried}: ${reply.text}`);
      }
      assert.equal((await page(victim, { cursor, symbol: "ETHUSDT" })).status, 400, "it holds for one filter only");
    }
  });

  it("BRK-17: no cell of an export is what a spreadsheet would take for a formula", async () => {
    const { attacker, admin, batchId } = { ...world, admin: world.admin };
    const own = await send(attacker, "wallet", { method: "GET", path: "/api/v1/broker/rebate-records/export" });
    const path = `/api/v1/broker/admin/rebate/payout-batches/${batchId}/csv`;
    const payees = await admin({ method: "GET", path });
    for (const { text, status } of [own, payees]) {
      assert.equal(status, 200, text);
      const cells = text
        .trim()
        .split(/\r?\n/)
        .flatMap((line) => line.split(","));
      assert.ok(cells.length > 6, text);
      for (const cell of cells) assert.match(cell, /^(?:-?\d[\d.-]*|[a-z_]+|0x[0-9a-f]+|[0-9a-f-]{36})$/, text);
    }
  });

  for (const [route, row] of Object.entries(matrix)) {
    if (row.kind !== "staff") continue;
    it(`${route}: closed to the other trader, its BD and its key, whatever they name`, async () => {
      const { attacker, victim } = world;
      for (const by of ["wallet", "bd", "key"] as const) {
        const { method } = routeOf(route);
        const body = method === "GET" ? {} : { body: { ...claimsOf(namesOf(victim)), reason: "mine" } };
        const reply = await send(attacker, by, { method, path: row.path(world), ...body });
        assert.equal(reply.status, by === "key" ? 401 : 403, `${by}: ${reply.text}`);
        assertSilent(reply, victim);
      }
    });
  }

  it("none of the routes for staff has changed anything for the victim", () =>
    leavesAlone(world.victim, () => Promise.resolve()));
});
