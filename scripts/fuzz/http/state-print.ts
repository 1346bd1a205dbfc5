import { dumpState, type Engine } from "@bourse/engine";
import { sql } from "kysely";
import { replaySegments } from "../../../apps/server/src/exchange/journal/replay.ts";
import { engineFromNewest } from "../../../apps/server/src/exchange/journal/snapshots.ts";
import { waitingMessages } from "../../../apps/server/src/kernel/outbox/store.ts";
import type { TestPlatform } from "../../../apps/server/src/testing/test-platform.ts";
import { waitFor } from "../../../tests/support/waiting.ts";

/**
 * Tables that may change. A refused order is a command in the log and is counted, but changes nothing else. Private
 * events are written a moment after the change that they report.
 */
const MAY_CHANGE: ReadonlySet<string> = new Set([
  "exchange_cursor",
  "exchange_private_cursor",
  "exchange_private_event",
  "job_state",
]);

/** Lines of a dump that count commands. */
const COUNTING = /^(?:State after command| {2}(?:hash|time|last order id|last external number) )/;

/** The state of a platform as text, which is equal if nothing has changed. */
export class StatePrint {
  readonly #platform: TestPlatform;
  #engine: Engine | undefined;
  #tables: readonly string[] | undefined;

  constructor(platform: TestPlatform) {
    this.#platform = platform;
  }

  /** By table and part of the engine. What is on its way to the engine arrives first: else it would count as a later change. */
  async take(): Promise<ReadonlyMap<string, string>> {
    const isDelivered = async () => (await waitingMessages(this.#platform.database.db)).waiting === 0;
    await waitFor(isDelivered, { interval_ms: 5, what: "messages to reach the engine" });
    const print = new Map<string, string>();
    for (const [table, sum] of await this.#tableSums()) print.set(`table ${table}`, sum);
    print.set("engine", await this.#engineText());
    return print;
  }

  async #tableSums(): Promise<readonly (readonly [string, string])[]> {
    const { db } = this.#platform.database;
    if (this.#tables === undefined) {
      const { rows } = await sql<{ name: string }>`
        select tablename as name from pg_tables where schemaname = 'public' order by tablename`.execute(db);
      this.#tables = rows.map(({ name }) => name).filter((name) => !MAY_CHANGE.has(name));
    }
    const tables = this.#tables;
    const sums = tables.map(
      (table) =>
        sql`(select count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) from ${sql.table(table)} t)`,
    );
    const { rows } = await sql<{ all: string }>`select concat_ws(',', ${sql.join(sums)}) as all`.execute(db);
    const found = (rows[0]?.all ?? "").split(",");
    return tables.map((table, place) => [table, found[place] ?? ""] as const);
  }

  /** Replays the log: what is durable, independent of the running exchange. */
  async #engineText(): Promise<string> {
    const folder = this.#platform.settings.dataDir;
    const number = await this.commandNumber();
    this.#engine ??= engineFromNewest(folder, 0, () => undefined);
    for (const _command of replaySegments(folder, this.#engine, number));
    const lines = dumpState(this.#engine.state).split("\n");
    return lines.filter((line) => !COUNTING.test(line)).join("\n");
  }

  async commandNumber(): Promise<number> {
    const reply = await this.#platform.get("/readyz");
    const { checks } = reply.json() as { checks: Readonly<Record<string, { readonly detail: string }>> };
    const number = /(\d+) commands/.exec(checks["engine"]?.detail ?? "")?.[1];
    if (number === undefined) throw new Error(`the engine does not say how far it is: ${reply.body}`);
    return Number(number);
  }
}

/** The parts that differ. */
export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after].flatMap(([part, text]) => {
    const was = before.get(part) ?? "";
    if (was === text) return [];
    if (part !== "engine") return [`${part}: ${was} became ${text}`];
    const old = new Set(was.split("\n"));
    const lines = text.split("\n").filter((line) => !old.has(line));
    return [`engine: ${lines.slice(0, 5).join(" | ")}`];
  });
}
