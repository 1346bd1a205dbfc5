import { after, before } from "node:test";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import { MemoryLog } from "../../kernel/journal/command-log.ts";
import { seededRandom } from "../../kernel/random.ts";
import { Downloads } from "../downloads/downloads.ts";
import { downloadMigrations } from "../downloads/migrations.ts";
import { History } from "../history/history.ts";
import type { Applied } from "../host/exchange.ts";
import { projectorMigrations } from "../projector/migrations.ts";
import type { Projector } from "../projector/projector.ts";
import { createTestProjector } from "../projector/testing.ts";
import { statisticsMigrations } from "../statistics/migrations.ts";
import { Markets } from "./markets.ts";
import { type Bench, type Body, createBench, ok, type Parameters } from "./testing.ts";

const KEY = Buffer.from("a key that only these tests know");

/** A log whose appends a test can delay. */
export class SlowLog extends MemoryLog {
  #gate = Promise.resolve();
  #open: () => void = () => {};
  #asked = Promise.withResolvers<void>();

  get isAsked(): Promise<void> {
    return this.#asked.promise;
  }

  hold(): void {
    const gate = Promise.withResolvers<void>();
    this.#gate = gate.promise;
    this.#open = gate.resolve;
    this.#asked = Promise.withResolvers<void>();
  }

  release(): void {
    this.#open();
  }

  override async append(records: readonly Uint8Array[]): Promise<void> {
    this.#asked.resolve();
    await this.#gate;
    await super.append(records);
  }
}

/** A bench with its history in a database, shared by all tests of the calling group. */
export function useHistory() {
  const log = new SlowLog();
  let database: TestDatabase;
  let projector: Projector;
  let bench: Bench;
  let history: History;
  let downloads: Downloads;
  before(async () => {
    database = await openTestDatabase({ ...projectorMigrations, ...statisticsMigrations, ...downloadMigrations });
    bench = await createBench({
      log,
      async history(exchange, clock) {
        const applied: Applied[] = [];
        exchange.listen((one) => applied.push(one));
        projector = await createTestProjector(database, {
          clock,
          async *reread(from, to) {
            yield* applied.slice(from - 1, to);
          },
        });
        exchange.listen(projector.hear);
        projector.start();
        history = new History({ database, projector, clock, cursorKey: KEY });
        return history;
      },
      downloads(exchange, clock) {
        const markets = new Markets(exchange.engine);
        const random = seededRandom("downloads");
        downloads = new Downloads({
          database,
          history,
          markets,
          clock,
          random,
          key: KEY,
          publicUrl: "http://127.0.0.1",
        });
        return downloads;
      },
    });
    await bench.price("BTCUSDT", 60_000);
    await bench.trader("a11ce", 100_000);
    await bench.trader("b0b", 100_000);
  });
  after(async () => {
    await bench.close();
    await projector.stop();
    await database.close();
  });
  const alice = "0xa11ce";
  return {
    log,
    alice,
    bob: "0xb0b",
    get bench() {
      return bench;
    },
    get database() {
      return database;
    },
    get downloads() {
      return downloads;
    },
    runJob: (job: JobDefinition, due_ms = bench.clock.now()) =>
      job.run({ since_ms: 0, due_ms, isManual: false, moveWatermark: async () => undefined }),
    /** Resolves when the tables hold everything. */
    projected: () => projector.waitForAll(5_000),
    get: async <T = Body[]>(name: string, parameters: Parameters = {}, who = alice) =>
      ok<T>(await bench.call("GET", `/fapi/v1/${name}`, { symbol: "BTCUSDT", ...parameters }, who)),
    order: async (who: string, side: string, quantity: string, price: string, more: Parameters = {}) => {
      const parameters = { symbol: "BTCUSDT", side, type: "LIMIT", timeInForce: "GTC", quantity, price, ...more };
      return ok(await bench.call("POST", "/fapi/v1/order", parameters, who));
    },
  };
}
