import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { BUY, SELL } from "@bourse/engine";
import { areBooksRight, readBooks } from "../reconcile/books.ts";
import { takeShadow } from "../reconcile/shadow.ts";
import { type BonusBench, benchWallet, createBonusBench } from "./testing/bonus-bench.ts";

const USDT = 1_000_000n;

describe("BON-7: what a bonus paid of unfair losses comes back", () => {
  let bench: BonusBench;
  let maker: number;
  before(async () => {
    bench = await createBonusBench();
    maker = await bench.deposit(1, 1_000_000);
  });
  after(() => bench.close());

  const engine = () => bench.exchange.engine;
  const owed = (account: number) => engine().state.fairness.owedOf(account);
  async function booksRight(): Promise<void> {
    await bench.settle();
    const books = await readBooks(bench.database, takeShadow(engine()));
    assert.ok(
      areBooksRight(books),
      JSON.stringify(books, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
    );
  }
  const recalls = async (id: bigint) =>
    (await bench.linesOf(id)).filter(({ kind }) => kind === "RECALL").map(({ amount_micros }) => amount_micros);

  it("when the bonus ends: a RECALL beside that of the rest; consumed and net outflow fall", async () => {
    await bench.price(60_000);
    const account = await bench.deposit(2, 1_000);
    await bench.trade(account, maker, BUY, 0.1, 60_000);
    await bench.price(58_000);
    const [issued] = await bench.grant([benchWallet(2)], 500n * USDT);
    const id = issued!.bonus_account_id;
    const before = await bench.pool();
    await bench.trade(account, maker, SELL, 0.1, 58_000);
    await bench.tell({ kind: "recall_bonus", account });
    await bench.settle();
    const row = await bench.row(id);
    // The bonus pays half of the loss of 200 and half of the fee of 2.9; the loss was there before it.
    assert.deepEqual([row.status, row.bonus_micros, row.consumed_micros], ["recalled", 0n, 1_450_000n]);
    assert.deepEqual(await recalls(id), [398_550_000n, 100n * USDT]);
    const { granted_micros, returned_micros } = await bench.pool();
    assert.equal(granted_micros - returned_micros - (before.granted_micros - before.returned_micros), -498_550_000n);
    assert.equal(owed(account), 0);
    await booksRight();
  });

  it("what principal cannot pay then is paid later, of the bonus that has ended or of an earlier one", async () => {
    await bench.price(60_000);
    const account = await bench.deposit(3, 200);
    await bench.submit({ kind: "set_leverage", account, market: 0, leverage: 50 });
    await bench.trade(account, maker, BUY, 0.1, 60_000);
    await bench.price(58_500);
    const [first] = await bench.grant([benchWallet(3)], 500n * USDT);
    const [id] = [first!.bonus_account_id];
    await bench.price(55_000);
    await bench.trade(account, maker, SELL, 0.1, 55_000);
    await bench.tell({ kind: "recall_bonus", account });
    await bench.settle();
    const ended = await bench.row(id);
    assert.equal(ended.status, "recalled");
    const debt = owed(account);
    assert.ok(debt > 50_000_000, `owed ${debt}`);
    assert.equal(engine().state.accounts.principal(account), 0);
    await booksRight();

    await bench.deposit(3, 50);
    await bench.settle();
    assert.equal(owed(account), debt - 50 * 1_000_000);
    assert.equal((await bench.row(id)).consumed_micros, ended.consumed_micros - 50n * USDT);
    assert.deepEqual((await recalls(id)).at(-1), 50n * USDT);
    await booksRight();

    // Another bonus is granted, used by nobody, and recalled: what is owed belongs to the first.
    await bench.beginCampaign();
    const [second] = await bench.grant([benchWallet(3)], 100n * USDT);
    await bench.tell({ kind: "recall_bonus", account });
    await bench.settle();
    await booksRight();
    await bench.deposit(3, 100);
    await bench.settle();
    assert.equal(owed(account), 0);
    assert.equal((await bench.row(id)).consumed_micros, ended.consumed_micros - BigInt(debt));
    assert.deepEqual((await recalls(id)).at(-1), BigInt(debt) - 50n * USDT);
    const other = await bench.row(second!.bonus_account_id);
    assert.deepEqual([other.consumed_micros, await recalls(other.id)], [0n, [100n * USDT]]);
    await booksRight();
  });

  it("a repayment just before a new grant, written in one batch with it, belongs to the bonus that has ended", async () => {
    await bench.price(60_000);
    const account = await bench.deposit(4, 200);
    await bench.submit({ kind: "set_leverage", account, market: 0, leverage: 50 });
    await bench.trade(account, maker, BUY, 0.1, 60_000);
    await bench.price(58_500);
    const [first] = await bench.grant([benchWallet(4)], 500n * USDT);
    await bench.price(55_000);
    await bench.trade(account, maker, SELL, 0.1, 55_000);
    await bench.tell({ kind: "recall_bonus", account });
    await bench.settle();
    const debt = BigInt(owed(account));
    assert.ok(debt > 0n);
    const { consumed_micros } = await bench.row(first!.bonus_account_id);
    await bench.dispatcher.stop();
    await bench.beginCampaign();
    await bench.tell({ kind: "deposit", account, amount_micros: 1_000_000_000 });
    const [second] = await bench.decide([benchWallet(4)], 100n * USDT);
    bench.dispatcher.start();
    await booksRight();
    assert.equal((await bench.row(first!.bonus_account_id)).consumed_micros, consumed_micros - debt);
    const row = await bench.row(second!.bonus_account_id);
    assert.deepEqual([row.status, row.consumed_micros, row.bonus_micros], ["active", 0n, 100n * USDT]);
  });

  it("a report made while a repayment is written compares as of its own command", async () => {
    await bench.price(60_000);
    const account = await bench.deposit(5, 200);
    await bench.submit({ kind: "set_leverage", account, market: 0, leverage: 50 });
    await bench.trade(account, maker, BUY, 0.1, 60_000);
    await bench.price(58_500);
    await bench.grant([benchWallet(5)], 500n * USDT);
    await bench.price(55_000);
    await bench.trade(account, maker, SELL, 0.1, 55_000);
    await bench.tell({ kind: "recall_bonus", account });
    await bench.settle();
    assert.ok(owed(account) > 0);
    await bench.beginCampaign();
    await bench.grant([benchWallet(5)], 100n * USDT);
    await bench.tell({ kind: "recall_bonus", account });
    await bench.settle();
    await bench.settle();
    const shadow = takeShadow(engine());
    await bench.deposit(5, 1_000);
    await bench.settle();
    assert.equal(owed(account), 0);
    const books = await readBooks(bench.database, shadow);
    assert.deepEqual([books.mismatches, books.ledger_micros - books.shadow_micros], [[], 0n]);
  });
});
