import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { accepted, type Partner } from "../../broker/partners/testing/scene.ts";
import { TradingFloor } from "../../broker/settlement/testing/floor.ts";
import { dayNumberOf } from "../../kernel/dates.ts";
import { TEST_EPOCH_MS } from "../../testing/test-platform.ts";
import { pointsDb } from "../tables.ts";

interface Line {
  readonly address: string;
  readonly source: string;
  readonly points: string;
  readonly rule_version: number;
}

describe("PTS-3: points of what was traded", () => {
  let floor: TradingFloor;
  let kol: Partner;
  let customer: Awaited<ReturnType<TradingFloor["scene"]["visitor"]>>;
  let admin: string;

  before(async () => {
    floor = await TradingFloor.open();
    const { scene } = floor;
    admin = (await scene.platform.adminSignIn()).access_token;
    kol = await scene.kol(5);
    customer = await scene.visitor();
    accepted(await scene.bind(customer.token, (await scene.code(kol.token)).code));
    for (const trader of [kol, customer]) await floor.fund(trader);
  });
  after(() => floor.close());

  const db = () => floor.scene.platform.database.db;
  const put = async (path: string, payload: object) => {
    const url = `/api/v1/points/admin${path}`;
    const headers = { host: "127.0.0.1:8080", authorization: `Bearer ${admin}` };
    accepted(await floor.scene.platform.call({ method: "PUT", url, headers, payload }));
  };
  /** Waits until the fills are written: the wallet's own list waits for that. */
  const written = async (trader: { token: string }) =>
    accepted(await floor.scene.platform.get("/api/v1/account/trades", trader.token));
  /** Trades, and returns the resulting lines. */
  async function linesOf(trade: () => Promise<void>): Promise<Line[]> {
    const { rows } = await sql<{ last: bigint }>`select coalesce(max(id), 0) as last from points_line`.execute(db());
    await trade();
    for (const trader of [kol, customer]) await written(trader);
    const lines = await sql<Line>`
      select address, source, (points_micros / 1e6)::float8::text as points, rule_version
      from points_line where id > ${rows[0]!.last} order by id`.execute(db());
    return lines.rows;
  }
  const makerOf = async (): Promise<string> => {
    const { rows } = await sql<{ address: string }>`
      select address from exchange_fill join exchange_account using (account) where is_maker limit 1`.execute(db());
    return rows[0]!.address;
  };

  it("a fee of 100 USDT is 1000 points, the broker gets 100 more, and the resting side 1.5 times its own", async () => {
    const lines = await linesOf(() => floor.take(customer));
    const maker = await makerOf();
    assert.deepEqual(
      lines.toSorted((a, b) => Number(b.points) - Number(a.points)),
      [
        { address: customer.address, source: "trade", points: "1000", rule_version: 1 },
        { address: maker, source: "trade", points: "600", rule_version: 1 },
        { address: kol.address, source: "referral", points: "100", rule_version: 1 },
      ],
    );
  });

  it("what is changed holds for the next fill: a boost, and who makes markets", async () => {
    const maker = await makerOf();
    await put("/rules", { boosts: { BTCUSDT: "1.37", ETHUSDT: "2" } });
    const boosted = await linesOf(() => floor.take(customer));
    const own = boosted.find(({ address, source }) => address === customer.address && source === "trade");
    assert.deepEqual([own!.points, own!.rule_version], ["1370", 2]);
    await put("/makers", { wallets: [{ address: maker, label: "desk" }] });
    const lines = await linesOf(() => floor.take(kol));
    assert.deepEqual(
      lines.map(({ address, points }) => [address, points]),
      [[kol.address, "1370"]],
    );
    const volumes = await pointsDb(floor.scene.platform.database)
      .selectFrom("points_maker_volume")
      .selectAll()
      .execute();
    assert.deepEqual(volumes, [{ epoch: 22, address: maker, volume_micros: 200_000_000_000n }]);
    await put("/rules", { boosts: {} });
    await put("/makers", { wallets: [] });
  });

  it("trades with oneself score nothing", async () => {
    const { platform } = floor.scene;
    const key = await platform.makeApiKey(customer.wallet);
    const order = async (side: string) => {
      const fields = "symbol=BTCUSDT&type=LIMIT&timeInForce=GTC&quantity=0.1&price=49000&selfTradePreventionMode=NONE";
      accepted(await platform.signedCall("POST", "/fapi/v1/order", key, `${fields}&side=${side}`));
    };
    const lines = await linesOf(async () => {
      await order("BUY");
      await order("SELL");
    });
    const { rows } = await sql<{ fee_micros: bigint }>`
      select fee_micros from exchange_fill join exchange_account using (account)
      where address = ${customer.address} order by trade desc limit 2`.execute(db());
    assert.deepEqual(rows.map(({ fee_micros }) => fee_micros).sort(), [2_450_000n, 980_000n]);
    assert.deepEqual(lines, []);
  });

  it("in sum: ten times the fees of takers, fifteen times those of makers, and a tenth of the customers' on top", async () => {
    for (const trader of [customer, kol, customer]) await linesOf(() => floor.take(trader, "0.123"));
    const { rows } = await sql<{ address: string; points: string; due: string }>`
      with plain as (
        select line.* from points_line as line join points_rule as rule on rule.version = line.rule_version
        where line.source = 'trade' and rule.boosts = '{}'
      )
      select account.address, sum(plain.points_micros)::text as points,
        sum(fill.fee_micros * case when fill.is_maker then 15 else 10 end)::text as due
      from plain join exchange_fill as fill using (market, trade, side) join exchange_account as account using (account)
      group by account.address`.execute(db());
    assert.equal(rows.length, 3);
    for (const { points, due } of rows) assert.equal(points, due);
    const shares = await sql<{ wrong: number; lines: number }>`
      select count(*)::int as lines, count(*) filter (where share.points_micros <> own.points_micros / 10
        or share.base_micros <> own.points_micros or share.invitee <> own.address)::int as wrong
      from points_line as share join points_line as own using (market, trade, side)
      where share.source = 'referral' and own.source = 'trade'`.execute(db());
    assert.deepEqual([shares.rows[0]!.wrong, shares.rows[0]!.lines], [0, 4]);
  });

  it("totals of the day and the epoch are the sums of the lines", async () => {
    const { rows } = await sql<{ scope: number; period: number; wallets: number; wrong: number }>`
      with sums as (select address, sum(points_micros) as points, max(time_ms) as last from points_line group by address)
      select scope, period, count(*)::int as wallets,
        count(*) filter (where total.points_micros <> sums.points or total.last_ms <> sums.last)::int as wrong
      from points_total as total join sums using (address) group by scope, period order by scope`.execute(db());
    assert.deepEqual(rows, [
      { scope: 0, period: dayNumberOf(TEST_EPOCH_MS), wallets: 3, wrong: 0 },
      { scope: 1, period: 22, wallets: 3, wrong: 0 },
    ]);
  });
});
