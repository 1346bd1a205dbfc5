import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { NO_SLOT, RULES_WITH_FAIR_MARKETS, STATUSES } from "@bourse/engine";
import { sql } from "kysely";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { projectorMigrations } from "./migrations.ts";
import { createTestExchange, createTestProjector, type TestExchange } from "./testing.ts";

const COMMANDS = 6_000;
const NO_POSITION = 0;

/** By version of the rules: a seed whose flow has what the test wants. */
const FLOWS = [
  { version: 4, seed: 6, causes: ["liquidation", "takeover", "fund", "trade"] },
  { version: 5, seed: 8, causes: ["liquidation", "takeover", "fund", "adl", "trade"] },
] as const;

for (const { version, seed, causes: wantedCauses } of FLOWS) {
  describe(`the tables agree with the engine after random order flow by rules version ${version}`, () => {
    const isFair = version >= RULES_WITH_FAIR_MARKETS;
    let database: TestDatabase;
    let test: TestExchange;

    const rowsOf = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(database.db)).rows;
    const everySymbol = function* () {
      const { accounts, positions } = test.engine.state;
      for (let account = 0; account <= accounts.count; account += 1) {
        for (let at = accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at))
          yield { account, at };
      }
    };

    before(async () => {
      database = await openTestDatabase(projectorMigrations);
      test = createTestExchange(seed, undefined, version);
      const projector = await createTestProjector(database, test);
      test.exchange.listen(projector.hear);
      projector.start();
      await test.run(COMMANDS);
      await projector.stop(60_000);
      assert.equal(projector.cursor, test.engine.state.commandNumber);
    });
    after(() => database.close());

    it("the flow has liquidations, takeovers, bonuses, funding and orders of every fate", async () => {
      const causes = await rowsOf(sql<{ cause: string }>`select distinct cause from exchange_fill order by 1`);
      for (const cause of wantedCauses)
        assert.ok(
          causes.some((row) => row.cause === cause),
          cause,
        );
      const statuses = await rowsOf(sql<{ status: string }>`select distinct status from exchange_order`);
      for (const status of [...STATUSES, "NEW", "PARTIALLY_FILLED", "FILLED"]) {
        assert.ok(
          statuses.some((row) => row.status === status),
          status,
        );
      }
      const types = await rowsOf(sql<{ income_type: string }>`select distinct income_type from exchange_income`);
      assert.equal(types.length, 6);
      const [counts] = await rowsOf(sql<{ moved: bigint; amended: bigint; tiers: bigint; algos: bigint }>`
      select (select count(*) from exchange_margin_move) as moved,
             (select count(*) from exchange_order_amendment) as amended,
             (select count(*) from exchange_tier_change) as tiers,
             (select count(*) from exchange_algo_order where status = 'TRIGGERED') as algos`);
      // By version 5 the flow is too short for volumes and isolated positions; those rows are written alike.
      const { moved, tiers, ...always } = counts!;
      const wanted = isFair ? always : { ...always, moved, tiers };
      for (const [name, count] of Object.entries(wanted)) assert.ok(count > 0n, name);
    });

    it("FUT-15, INV-11: fills by version 5 carry the mark, and whether they were further from it than fair; others do not", async () => {
      const rows = await rowsOf(sql<{ has_mark: boolean; has_off: boolean; count: bigint }>`
      select mark_ticks is not null as has_mark, is_off_market is not null as has_off, count(*) as count
      from exchange_fill group by 1, 2`);
      assert.deepEqual(
        rows.map(({ has_mark, has_off }) => [has_mark, has_off]),
        [[isFair, isFair]],
      );
      const off = await rowsOf(sql`select 1 from exchange_fill where is_off_market limit 1`);
      assert.equal(off.length, isFair ? 1 : 0);
    });

    it("FUT-24: the public record has every liquidation, take-over, hand-over and fill of the fund, with its prices", async () => {
      const told = new Map<string, number>();
      const note = (kind: string) => told.set(kind, (told.get(kind) ?? 0) + 1);
      for (const { events } of test.applied) {
        for (const event of events) {
          if (event.kind === "fund_capped") note("fund_capped");
          if (event.kind !== "fill") continue;
          const { cause, isMaker, side } = event;
          if ((cause === "liquidation" || cause === "fund") && isMaker === 0) note(cause);
          if ((cause === "takeover" || cause === "adl") && side === 0) note(cause);
        }
      }
      const rows = await rowsOf(sql<{ kind: string; count: number }>`
      select kind, count(*)::int as count from exchange_risk_event group by kind`);
      assert.deepEqual(new Map(rows.map(({ kind, count }) => [kind, count])), told);
      const wrong = await rowsOf(sql`
      select r.* from exchange_risk_event as r
      left join exchange_fill as f on f.command_number = r.command_number and f.account = r.account
        and f.market = r.market and f.side = r.side and f.lots = r.lots and f.ticks = r.ticks and f.cause = r.kind
      where r.kind <> 'fund_capped' and (f.trade is null or r.index_ticks is null
        or r.mark_ticks is distinct from coalesce(f.mark_ticks, r.mark_ticks))`);
      assert.deepEqual(wrong, []);
      const reasons = await rowsOf(sql<{ has: boolean }>`
      select distinct reason <> '' as has from exchange_risk_event where kind = 'adl'`);
      assert.deepEqual(reasons, isFair ? [{ has: true }] : []);
    });

    it("INV-11: what pairs traded and moved far from the mark is what their fills say", async () => {
      const rows = await rowsOf(sql`
      with trades as (
        select least(b.account, s.account) as account, greatest(b.account, s.account) as counterparty,
          b.time_ms / 3600000 as hour, b.quote_micros, b.ticks, b.mark_ticks,
          abs(b.ticks - b.mark_ticks) * b.lots * m.unit_micros as moved, b.account as buyer, s.account as seller
        from exchange_fill as b join exchange_fill as s on s.market = b.market and s.trade = b.trade and s.side = 1
        join exchange_market as m on m.market = b.market
        where b.side = 0 and b.account <> s.account and b.mark_ticks is not null and b.cause not in ('takeover', 'adl')),
      far as (
        select *, case when ticks > mark_ticks then buyer else seller end as payer from trades
        where abs(ticks - mark_ticks) * 1000.0 > mark_ticks * 2),
      wanted as (
        select account, counterparty, hour, sum(quote_micros) as quote,
          coalesce(sum(moved) filter (where payer = account), 0) as given,
          coalesce(sum(moved) filter (where payer = counterparty), 0) as taken
        from far group by 1, 2, 3)
      select * from wanted full join exchange_pair_hour as p using (account, counterparty, hour)
      where (quote, given, taken) is distinct from (p.quote_micros::numeric, p.given_micros::numeric, p.taken_micros::numeric)`);
      assert.deepEqual(rows, []);
      const [count] = await rowsOf(sql<{ pairs: bigint }>`select count(*) as pairs from exchange_pair_hour`);
      assert.equal(count!.pairs > 10n, isFair);
    });

    it("INV-1: fees of fills are what the fee account has taken in", async () => {
      const { totals } = test.engine.state;
      const [row] = await rowsOf(sql<{ fees: string }>`select sum(fee_micros) as fees from exchange_fill`);
      assert.equal(BigInt(row!.fees), BigInt(totals.feeAccount_micros) + totals.payouts_micros);
    });

    it("INV-1: the income of every account adds up to its principal, isolated margin and bonus", async () => {
      const rows = await rowsOf(sql<{ account: number; sum: string }>`
      select account, sum(amount_micros) as sum from exchange_income group by account`);
      const sums = new Map(rows.map(({ account, sum }) => [account, Number(sum)]));
      const { accounts, positions } = test.engine.state;
      const worth = new Map<number, number>();
      for (let account = 0; account <= accounts.count; account += 1) {
        worth.set(account, accounts.principal(account) + accounts.bonus(account));
      }
      for (const { account, at } of everySymbol()) worth.set(account, worth.get(account)! + positions.isolated(at));
      for (const [account, micros] of worth) assert.equal(sums.get(account) ?? 0, micros, `account ${account}`);
    });

    it("INV-3: the bonus lines of every account add up to its bonus", async () => {
      const rows = await rowsOf(sql<{ account: number; bonus: string; last: bigint }>`
      select account,
             sum(repaid_micros + case line when 'GRANT' then amount_micros when 'LOCK' then 0 when 'UNLOCK' then 0
                 else -amount_micros end) as bonus,
             (array_agg(bonus_micros order by command_number desc, event_index desc))[1] as last
      from exchange_bonus_line group by account`);
      assert.ok(rows.length > 10);
      const { accounts } = test.engine.state;
      for (const { account, bonus, last } of rows) {
        assert.equal(Number(bonus), accounts.bonus(account), `account ${account}`);
        assert.equal(Number(last), accounts.bonus(account), `account ${account}`);
      }
    });

    it("INV-2: positions from fills are the engine's, and of each market they add up to zero", async () => {
      const rows = await rowsOf(sql<{ account: number; market: number; lots: string; last: bigint; cost: bigint }>`
      select account, market, sum(case side when 0 then lots else -lots end) as lots,
             (array_agg(position_lots order by command_number desc, event_index desc))[1] as last,
             (array_agg(cost_micros order by command_number desc, event_index desc))[1] as cost
      from exchange_fill group by account, market`);
      const found = new Map(rows.map((row) => [`${row.account}:${row.market}`, row]));
      const { positions } = test.engine.state;
      let open = 0;
      for (const { account, at } of everySymbol()) {
        const row = found.get(`${account}:${positions.market(at)}`);
        const figures = [Number(row?.lots ?? 0), Number(row?.last ?? 0), Number(row?.cost ?? 0)];
        assert.deepEqual(figures, [positions.lots(at), positions.lots(at), positions.cost(at)]);
        if (positions.lots(at) !== 0) open += 1;
      }
      assert.ok(open > 20);
      const sums = await rowsOf(sql<{ lots: string }>`
      select sum(case side when 0 then lots else -lots end) as lots from exchange_fill group by market`);
      assert.deepEqual(new Set(sums.map(({ lots }) => lots)), new Set(["0"]));
    });

    it("FUT-3: open orders are the engine's to the last field, all others are closed there", async () => {
      const rows = await rowsOf(sql<Record<string, bigint | number | string | boolean>>`
      select * from exchange_order where status in ('NEW', 'PARTIALLY_FILLED')
        and (conditional_type = -1 or triggered_ms > 0)`);
      const { pool, index, details } = test.engine.state;
      assert.equal(rows.length, pool.taken);
      for (const row of rows) {
        const slot = index.get(Number(row["order_id"]));
        assert.notEqual(slot, NO_SLOT);
        const lots = pool.originalLots(slot);
        const executed = lots - pool.remainingLots(slot);
        const stored = [row["account"], row["market"], row["side"], row["ticks"], row["client_id"], row["status"]];
        const status = executed === 0 ? "NEW" : "PARTIALLY_FILLED";
        const name = (pool.flags(slot) & 64) === 0 ? "" : details.clientId(slot);
        const own = [pool.account(slot), pool.market(slot), pool.side(slot), pool.ticks(slot), name, status];
        assert.deepEqual(stored, own);
        const numbers = ["lots", "executed_lots", "quote_micros"].map((column) => Number(row[column]));
        assert.deepEqual(numbers, [lots, executed, pool.quote_micros(slot)]);
        // A conditional order that keeps its id was made before the order it became.
        if (row["conditional_type"] === -1) assert.equal(Number(row["created_ms"]), details.created_ms(slot));
      }
    });

    it("FUT-8: waiting conditional orders are the engine's, in the table where they belong", async () => {
      const rows = await rowsOf(sql<{ id: bigint; keeps_id: boolean; trigger_ticks: number; lots: bigint; ms: bigint }>`
      select order_id as id, true as keeps_id, trigger_ticks, lots, created_ms as ms from exchange_order
      where status = 'NEW' and conditional_type >= 0 and triggered_ms = 0
      union all
      select algo_id, false, trigger_ticks, lots, created_ms from exchange_algo_order where status = 'NEW'`);
      const { conditionals } = test.engine.state;
      assert.equal(rows.length, conditionals.count);
      assert.equal(new Set(rows.map((row) => row.keeps_id)).size, 2);
      let rearmed = 0;
      for (const row of rows) {
        const own = conditionals.get(Number(row.id))!;
        const stored = [row.keeps_id, row.trigger_ticks, Number(row.lots), Number(row.ms)];
        // What is armed again waits among those with ids of their own: the order of its id has ended.
        const keepsId = own.keepsId && own.tries === 0;
        assert.deepEqual(stored, [keepsId, own.triggerTicks, own.lots, own.created_ms]);
        if (own.tries > 0) rearmed += 1;
      }
      assert.equal(rearmed > 0, isFair);
    });

    it("what orders have executed is the sum of their fills, and a filled one has nothing left", async () => {
      const rows = await rowsOf(sql`
      select o.order_id from exchange_order as o
      left join (select order_id, sum(lots) as lots, sum(quote_micros) as quote_micros from exchange_fill
                 where order_id > 0 group by 1) as f using (order_id)
      where o.executed_lots <> coalesce(f.lots, 0) or o.quote_micros <> coalesce(f.quote_micros, 0)
         or (o.status = 'FILLED') <> (o.executed_lots = o.lots and o.lots > 0)`);
      assert.deepEqual(rows, []);
      const orphans = await rowsOf(sql`
      select 1 from exchange_fill as f left join exchange_order as o using (order_id)
      where f.order_id > 0 and (o.account, o.market, o.side) is distinct from (f.account, f.market, f.side)`);
      assert.deepEqual(orphans, []);
    });

    it("amendments lead from what an order was to what it is", async () => {
      const rows = await rowsOf(sql`
      with chain as (
        select a.*, o.ticks, o.lots, o.amendments,
               lead(ticks_before) over own as next_ticks, lead(lots_before) over own as next_lots
        from exchange_order_amendment as a join exchange_order as o using (order_id)
        window own as (partition by order_id order by amendment))
      select order_id from chain
      where ticks_after <> coalesce(next_ticks, ticks) or lots_after <> coalesce(next_lots, lots)
         or (next_ticks is null) <> (amendment = amendments)
         or (ticks_before, lots_before) = (ticks_after, lots_after)`);
      assert.deepEqual(rows, []);
      const [counts] = await rowsOf(sql<{ orders: string; rows: bigint }>`
      select (select sum(amendments) from exchange_order) as orders, count(*) as rows from exchange_order_amendment`);
      assert.equal(Number(counts!.orders), Number(counts!.rows));
    });

    it("candles hold every trade between orders once, and end at the last price", async () => {
      const rows = await rowsOf(sql`
      with published as (
        select market, sum(lots) as lots, sum(quote_micros) as quote, count(*) as trades,
               sum(lots) filter (where side = 0) as bought, max(ticks) as high, min(ticks) as low
        from exchange_fill where not is_maker and cause not in ('takeover', 'adl') group by market),
      candles as (
        select market, interval_ms, sum(lots) as lots, sum(quote_micros) as quote, sum(trades) as trades,
               sum(taker_buy_lots) as bought, max(high_ticks) as high, min(low_ticks) as low
        from exchange_kline where kind = 0 group by market, interval_ms)
      select market from candles full join published using (market)
      where (candles.lots, candles.quote, candles.trades, candles.bought, candles.high, candles.low) is distinct from
            (published.lots, published.quote, published.trades, published.bought, published.high, published.low)`);
      assert.deepEqual(rows, []);
      const closes = await rowsOf(sql<{ market: number; kind: number; close: number }>`
      select market, kind, (array_agg(close_ticks order by open_ms desc))[1] as close
      from exchange_kline where interval_ms = 60000 group by market, kind order by market, kind`);
      const wanted = test.engine.state.markets.flatMap(({ number, lastTicks, markTicks, indexTicks }) =>
        [lastTicks, markTicks, indexTicks].map((close, kind) => ({ market: number, kind, close })),
      );
      assert.deepEqual(closes, wanted);
    });

    it("trade ids of a market have no gap, and fee tiers are those of the last change", async () => {
      const rows = await rowsOf(sql<{ market: number; trades: bigint; last: bigint }>`
      select market, count(distinct trade) as trades, max(trade) as last from exchange_fill group by 1 order by 1`);
      for (const { market, trades, last } of rows) {
        const { trades: own } = test.engine.state.markets[market]!;
        assert.deepEqual([Number(trades), Number(last)], [own, own]);
      }
      const tiers = await rowsOf(sql<{ account: number; tier: number }>`
      select distinct on (account) account, tier from exchange_tier_change
      where change in ('upgrade_immediate', 'downgrade_applied')
      order by account, command_number desc, event_index desc`);
      assert.ok(isFair || tiers.length > 0);
      for (const { account, tier } of tiers) assert.equal(tier, test.engine.state.accounts.tier(account));
    });
  });
}
