import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import type { OperatorOutcome } from "../chain/operator/operator.ts";
import { ManualClock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import { openTestDatabase } from "../kernel/database/testing.ts";
import { walletMigrations } from "./migrations.ts";
import { Payments, type PaymentsOptions } from "./payments.ts";
import { walletDb } from "./tables.ts";

const WALLET = `0x${"ab".repeat(20)}` as const;
const HASH = `0x${"cd".repeat(32)}` as const;
const REFUSED: OperatorOutcome = { state: "unknown", hash: HASH, reason: "nonce too low" };

describe("payments of withdrawals", () => {
  const clock = new ManualClock(Date.UTC(2026, 5, 1));
  let database: Database;

  before(async () => {
    database = await openTestDatabase(walletMigrations);
  });
  after(() => database.close());

  const never = () => assert.fail("nothing of this is asked for");
  const paymentsBy = (submit: () => Promise<OperatorOutcome>) =>
    new Payments({
      database,
      clock,
      operator: { submit, outcomeOf: async () => undefined },
      vault: WALLET,
      switches: { read: async () => ({ withdrawals_paused: false }) } as unknown as PaymentsOptions["switches"],
      holds: { judge: async () => false, releaseDue: async () => 0 },
      engineRequests: { tell: never, notify: never },
      projected: async () => undefined,
      onError: never,
    });

  async function held(): Promise<string> {
    const id = randomUUID();
    const now = new Date(clock.now());
    const place = { id, account: 1, address: WALLET, to_address: WALLET, request_id: id };
    await walletDb(database)
      .insertInto("withdrawal")
      .values({ ...place, amount_micros: 5n, status: "held", created_at: now, updated_at: now })
      .execute();
    return id;
  }
  const seen = async (id: string) => {
    const { status, hold_up } = await walletDb(database)
      .selectFrom("withdrawal")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return { status, hold_up };
  };
  const confirm = (id: string) =>
    walletDb(database)
      .updateTable("withdrawal")
      .set({ status: "confirmed", hold_up: null })
      .where("id", "=", id)
      .execute();

  it("VLT-1: what a node refuses is held up, and says why", async () => {
    const id = await held();
    assert.deepEqual(await paymentsBy(async () => REFUSED).run(), { sent: 0, rejected: 0, waiting: 1 });
    assert.deepEqual(await seen(id), { status: "held", hold_up: "nonce too low" });
    await confirm(id);
  });

  it("VLT-1: what the Vault has paid while it was being sent again is not held up", async () => {
    const id = await held();
    const submit = async () => {
      await confirm(id);
      return REFUSED;
    };
    await paymentsBy(submit).run();
    assert.deepEqual(await seen(id), { status: "confirmed", hold_up: null });
  });
});
