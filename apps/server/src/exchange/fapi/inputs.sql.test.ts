import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { signedParameters } from "@bourse/api";
import { sql } from "kysely";
import { downloadsJob } from "../downloads/jobs.ts";
import type { Refused } from "./testing/bad-values.ts";
import { MODIFICATIONS, NEW_ORDERS, ROUTE_INPUTS, type RouteInputs } from "./testing/route-inputs.ts";
import { type Body, limitOrder, ok, type Parameters, type Reply, refused } from "./testing.ts";
import { useHistory } from "./testing-history.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";

const partsOf = (route: string) => route.split(" ") as [Method, string];

const allOf = (...lists: readonly Refused[]) =>
  lists.flat().flatMap(([code, values]) => values.map((value) => [value, code] as const));

describe("bad input on the exchange-style interface", () => {
  const past = useHistory();
  const { alice } = past;

  before(async () => {
    await past.order(past.bob, "SELL", "0.1", "60000");
    await past.order(alice, "BUY", "0.1", "60000");
    ok(await past.bench.call("POST", "/fapi/v1/order", limitOrder({ price: "58000" }), alice));
    ok(await past.bench.call("POST", "/fapi/v1/listenKey", {}, alice));
  });

  const call = (route: string, parameters: Parameters) => past.bench.call(...partsOf(route), parameters, alice);

  /** The state without the command number, which rises even if the engine refuses a command. */
  function stateBut(commandNumber: number): string {
    const { state } = past.bench.engine;
    const now = state.commandNumber;
    state.commandNumber = commandNumber;
    const hash = past.bench.hash();
    state.commandNumber = now;
    return hash;
  }

  /** The row count of every table. */
  async function rowCounts(): Promise<unknown> {
    await past.projected();
    const { db } = past.database;
    const tables = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = current_schema() order by 1`.execute(
      db,
    );
    const counts = tables.rows.map(({ name }) => sql`select ${name} as name, count(*) as rows from ${sql.table(name)}`);
    return (await sql`${sql.join(counts, sql` union all `)}`.execute(db)).rows;
  }

  async function refusedWithoutTrace(send: () => Promise<Reply>, code: number, what: string): Promise<void> {
    const { commandNumber } = past.bench.engine.state;
    const before_ = stateBut(commandNumber);
    const accounts = past.bench.accounts.size;
    try {
      refused(await send(), code);
    } catch (error) {
      throw new Error(what.slice(0, 200), { cause: error });
    }
    assert.equal(stateBut(commandNumber), before_, `${what.slice(0, 200)} has changed the engine`);
    assert.equal(past.bench.accounts.size, accounts);
  }

  /** Repeated names and invalid escapes, which are refused for every parameter. */
  async function badOnTheWire(route: string, good: Parameters, name: string): Promise<void> {
    const [method, path] = partsOf(route);
    const query = Object.entries(good)
      .filter(([, value]) => value !== undefined)
      .map(([each, value]) => `${each}=${encodeURIComponent(String(value))}`);
    const send = (more: string) => () =>
      past.bench.app.inject({
        method,
        url: `${path}?${[...query, more].join("&")}`,
        headers: { host: "127.0.0.1:8080", "x-wallet": alice },
      });
    const twice = name in good ? `${name}=1` : `${name}=1&${name}=1`;
    await refusedWithoutTrace(send(twice), -1101, `${route} with two ${name}`);
    await refusedWithoutTrace(send(`${name}x=%zz`), -1100, `${route} with a broken escape`);
  }

  async function badValues({ route, good, inputs }: RouteInputs, name: string): Promise<void> {
    const { isNeeded, malformed, outOfRange, hostile } = inputs[name]!;
    const sent = (value: string | undefined) => () => call(route, { ...good, [name]: value });
    if (isNeeded) {
      await refusedWithoutTrace(sent(undefined), -1102, `${route} without ${name}`);
      await refusedWithoutTrace(sent(""), -1102, `${route} with an empty ${name}`);
    }
    for (const [value, code] of allOf(malformed, outOfRange, hostile)) {
      await refusedWithoutTrace(sent(value), code, `${route} ${name}=${value}`);
    }
    await badOnTheWire(route, good, name);
  }

  /** The same inside a list of orders, where the refusal takes the place of the order in the reply. */
  async function badElements(route: string, { good, inputs }: Omit<RouteInputs, "route">): Promise<void> {
    for (const [name, { isNeeded, malformed, outOfRange, hostile }] of Object.entries(inputs)) {
      const absent = isNeeded
        ? ([
            [undefined, -1102],
            ["", -1102],
          ] as const)
        : [];
      for (const [value, code] of [...absent, ...allOf(malformed, outOfRange, hostile)]) {
        const send = async (): Promise<Reply> => {
          const batchOrders = JSON.stringify([{ ...good, [name]: value }]);
          const form = `batchOrders=${encodeURIComponent(batchOrders)}`;
          const [method, path] = partsOf(route);
          const replies = ok<Body[]>(await past.bench.callForm(method as "POST", path, form, alice));
          return { statusCode: 400, json: () => replies[0] };
        };
        await refusedWithoutTrace(send, code, `${route} ${name}=${value}`);
      }
    }
  }

  it("every route, and every parameter that it documents, has a row", () => {
    for (const { method, url, schema } of past.bench.routes) {
      const rows = ROUTE_INPUTS.filter(({ route }) => route === `${method} ${url}`);
      assert.ok(rows.length > 0, `${method} ${url} has no row`);
      const covered = new Set(rows.flatMap(({ inputs }) => Object.keys(inputs)));
      assert.ok(schema !== undefined, `${method} ${url} documents nothing`);
      const { properties } = schema.querystring as { properties: object };
      const missing = Object.keys(properties).filter((name) => !(name in signedParameters) && !covered.has(name));
      assert.deepEqual(missing, [], `${method} ${url}`);
    }
    const known = new Set(past.bench.routes.map(({ method, url }) => `${method} ${url}`));
    for (const { route } of ROUTE_INPUTS) assert.ok(known.has(route), `${route} is no route`);
  });

  for (const each of ROUTE_INPUTS) {
    for (const name of Object.keys(each.inputs)) {
      it(`FUT-16: ${each.route} refuses every bad ${name} (${each.good["type"] ?? "any"}), and nothing changes`, async () => {
        const rows = await rowCounts();
        await badValues(each, name);
        assert.deepEqual(await rowCounts(), rows);
      });
    }
  }

  const batches = [
    ["POST /fapi/v1/batchOrders", NEW_ORDERS],
    ["PUT /fapi/v1/batchOrders", MODIFICATIONS],
  ] as const;
  for (const [route, orders] of batches) {
    it(`FUT-16: ${route} refuses the same in its elements, and nothing changes`, async () => {
      const rows = await rowCounts();
      for (const order of orders) await badElements(route, order);
      assert.deepEqual(await rowCounts(), rows);
    });
  }

  for (const { route, good, inputs } of ROUTE_INPUTS.filter(({ route: each }) => each.startsWith("GET "))) {
    const free = Object.entries(inputs).filter(([, { isNeeded }]) => !isNeeded);
    it(`${route} takes empty optional parameters for absent ones: ${free.map(([name]) => name).join(", ") || "none"}`, async () => {
      for (const [name] of free) {
        const absent = (await call(route, { ...good, [name]: undefined })).json();
        assert.deepEqual((await call(route, { ...good, [name]: "" })).json(), absent, name);
      }
    });
  }

  // These run last, because they change state. They prove that each request above was invalid by one parameter only.
  for (const { route, good, outcome } of ROUTE_INPUTS) {
    it(`${route} (${JSON.stringify(good)}) is good otherwise: ${outcome}`, async () => {
      // An account gets one file at a time.
      if (route.endsWith("/asyn")) await past.runJob(downloadsJob(past.downloads, past.bench.clock));
      const reply = await call(route, good);
      if (outcome === 200) ok(reply);
      else refused(reply, outcome);
    });
  }
});
