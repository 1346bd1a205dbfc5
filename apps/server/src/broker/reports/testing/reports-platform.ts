import assert from "node:assert/strict";
import { sql } from "kysely";
import { lockInTransaction } from "../../../kernel/database/locks.ts";
import { createTestPlatform, type TestPlatform, testWallet } from "../../../testing/test-platform.ts";
import { settlePeriod } from "../../settlement/settle.ts";
import { rollUp } from "../../settlement/totals.ts";
import { brokerTx } from "../../tables.ts";
import { BrokerBooks } from "../../testing/books.ts";

/** The platform's clock is at noon of this day. */
export const TODAY = "2026-06-01";
export const YESTERDAY = "2026-05-31";
export const USDT = 1_000_000n;

/** The stored address of a test wallet. */
export const walletAddress = (number: number): string => testWallet(number).address.toLowerCase();

/** A platform with rows of the program written directly, and wallets that sign in and read. */
export async function createReportsPlatform() {
  const platform: TestPlatform = await createTestPlatform();
  const { database } = platform;
  const books = new BrokerBooks(database);
  const tokens = new Map<number, string>();

  async function tokenOf(wallet: number): Promise<string> {
    const known = tokens.get(wallet);
    if (known !== undefined) return known;
    const { access_token } = await platform.signIn(testWallet(wallet));
    tokens.set(wallet, access_token);
    return access_token;
  }

  const ask = async (wallet: number, path: string) => platform.get(`/api/v1/broker${path}`, await tokenOf(wallet));

  /** The body of a successful reply. */
  async function read<Body>(wallet: number, path: string): Promise<Body> {
    const reply = await ask(wallet, path);
    assert.equal(reply.statusCode, 200, reply.body);
    return reply.json();
  }

  async function assertRefused(wallet: number, path: string, status: number, code: string, error?: string) {
    const reply = await ask(wallet, path);
    const body = reply.json();
    assert.deepEqual([reply.statusCode, body.code], [status, code], `${path}: ${reply.body}`);
    if (error !== undefined) assert.equal(body.error, error);
  }

  const settle = (period: string, status: "provisional" | "closed") =>
    database.db
      .transaction()
      .execute((tx) => settlePeriod(tx, { period, status, now: new Date(platform.clock.now()) }));

  async function rollUpDay(period: string): Promise<void> {
    await database.db.transaction().execute(async (tx) => {
      await lockInTransaction(tx, "rebate-books");
      assert.equal(await rollUp(brokerTx(tx), period), true);
    });
  }

  /** Puts one line of a record into a batch; `paid` says whether its payee is paid. */
  async function batchLine(
    record_id: string,
    line: { kind: "customer" | "kol" | "share"; payee: string; amount_micros: bigint; paid: boolean },
  ): Promise<void> {
    const hash = `0x${"ab".repeat(32)}`;
    const id = sql<string>`md5(${`${record_id}:${line.kind}`})::uuid`;
    const status = line.paid ? "paid" : "paying";
    const [paid_at, tx_hash] = line.paid ? [new Date(), hash] : [null, null];
    await sql`
      insert into payout_batch (id, min_amount_micros, status, way, line_count, payee_count, total_micros, sha256,
        created_by, created_at, updated_at)
      values (${id}, 0, ${status}, 'chain', 1, 1, ${line.amount_micros}, '', 'test', now(), now())`.execute(
      database.db,
    );
    await sql`
      insert into payout_payee (batch_id, payee, amount_micros, line_count, tx_hash, paid_at)
      values (${id}, ${line.payee}, ${line.amount_micros}, 1, ${tx_hash}, ${paid_at})`.execute(database.db);
    await sql`
      insert into payout_line (record_id, kind, batch_id, payee, amount_micros)
      values (${record_id}, ${line.kind}, ${id}, ${line.payee}, ${line.amount_micros})`.execute(database.db);
    await books.db.updateTable("rebate_record").set({ is_locked: true }).where("id", "=", record_id).execute();
  }

  return { ...platform, books, tokenOf, ask, read, assertRefused, settle, rollUpDay, batchLine };
}

export type ReportsPlatform = Awaited<ReturnType<typeof createReportsPlatform>>;

/**
 * A KOL (wallet 1, 40 %) with a customer (10 %) and a sub-KOL (wallet 2, 30 %, share 20 %), which has its own customer (10 %, share
 * 30 %). All four trade on the day before today; today only the KOL's customer does.
 */
export async function bookFamily({ books, settle, rollUpDay }: ReportsPlatform) {
  const kol = await books.kol({ rate: 0.4, level: 3, nickname: "Ada", wallet: walletAddress(1) });
  const sub = await books.kol({
    ...{ rate: 0.3, parent: kol, parentRate: 0.4, share: 0.2, wallet: walletAddress(2) },
    at: new Date("2026-05-30T08:00:00.5Z"),
  });
  const customer = await books.customer(kol, {
    ratio: 0.1,
    wallet: walletAddress(3),
    at: new Date(`${YESTERDAY}T09:00Z`),
  });
  const subCustomer = await books.customer(sub, { ratio: 0.1, share: 0.3, at: new Date(`${YESTERDAY}T10:00Z`) });
  await books.fee(YESTERDAY, customer, kol.termsVersion, 100n * USDT);
  await books.fee(YESTERDAY, subCustomer, sub.termsVersion, 100n * USDT);
  await books.fee(YESTERDAY, sub, sub.termsVersion, 50n * USDT);
  await books.fee(YESTERDAY, kol, kol.termsVersion, 10n * USDT);
  await books.fee(TODAY, customer, kol.termsVersion, 7_000_001n);
  await settle(YESTERDAY, "closed");
  await rollUpDay(YESTERDAY);
  await settle(TODAY, "provisional");
  return { kol, sub, customer, subCustomer };
}

export type Family = Awaited<ReturnType<typeof bookFamily>>;
