import { sumUp } from "../checks/sums.ts";
import { BONUS_STATES } from "../rules/bonus-states.ts";
import { BUY, SELL, type Side } from "../side.ts";
import { FLAG_CALLED, FLAG_DOWNGRADE, FLAG_OPENED_ON_BONUS, OWN_TERMS } from "../state/accounts.ts";
import type { Conditional } from "../state/conditionals.ts";
import type { MarketState } from "../state/market-state.ts";
import { ORDER_HAS_NAME, ORDER_REDUCE_ONLY, selfTradePreventionOf, timeInForceOf } from "../state/order-details.ts";
import type { State } from "../state/state.ts";
import { stateHash } from "./state-hash.ts";
import { decimal, textTable } from "./text-table.ts";

export interface DumpOptions {
  /** Of each table; how many are left out is said. All of them without it. */
  readonly mostRows?: number;
}

const SIDES = ["BUY", "SELL"];
const STATUSES = ["TRADING", "REDUCE_ONLY", "HALTED"];
const TIMES_IN_FORCE = ["GTC", "IOC", "FOK", "GTX"];
const PREVENTIONS = ["EXPIRE_MAKER", "EXPIRE_TAKER", "EXPIRE_BOTH", "NONE"];
const CONDITIONAL_TYPES = ["STOP", "TAKE_PROFIT", "TRAILING_STOP"];
const WORKING_TYPES = ["LAST", "MARK"];
const MODES = ["CROSS", "ISOLATED"];
const MICRO_places = 6;
const SIZE_places = 8;

/**
 * The state for people to read, and for `diff` to compare: the same state gives the same text. Prices and amounts are in
 * USDT, quantities in the market's base asset; nothing is rounded.
 */
export function dumpState(state: State, { mostRows = Number.POSITIVE_INFINITY }: DumpOptions = {}): string {
  const section = (title: string, header: readonly string[], count: number, rows: Iterable<readonly string[]>) => {
    const shown: (readonly string[])[] = [];
    for (const row of rows) {
      if (shown.length >= mostRows) break;
      shown.push(row);
    }
    const lines = count === 0 ? ["  none"] : textTable(header, shown);
    const more = count > shown.length ? [`  … and ${count - shown.length} more`] : [];
    return ["", `${title} (${count})`, ...lines, ...more];
  };
  return [
    ...headLines(state),
    ...section("Markets", MARKET_HEADER, state.markets.length, state.markets.map(marketRow)),
    ...section("Accounts", ACCOUNT_HEADER, state.accounts.count + 1, accountRows(state)),
    ...section("Symbols of accounts", SYMBOL_HEADER, state.positions.count, symbolRows(state)),
    ...section("Open orders", ORDER_HEADER, state.index.size, orderRows(state)),
    ...section("Conditional orders", CONDITIONAL_HEADER, state.conditionals.count, conditionalRows(state)),
    "",
  ].join("\n");
}

/** INV-1 and INV-2, reckoned from the records: whether they hold, and in words with both sides of the sum. */
export function checkInvariants(state: State): { readonly hold: boolean; readonly lines: readonly string[] } {
  const { held, brought, lots } = sumUp(state);
  const uneven = state.markets.filter(({ number }) => lots[number] !== 0n).map(({ terms }) => terms.symbol);
  const verdict = held === brought ? "they agree" : `THEY DIFFER by ${usdt(held - brought)}`;
  const lines = [
    `INV-1: ${usdt(held)} USDT are held, ${usdt(brought)} USDT were brought in: ${verdict}`,
    uneven.length === 0
      ? "INV-2: the positions of every market add up to 0"
      : `INV-2: the positions of ${uneven.join(", ")} DO NOT ADD UP to 0`,
  ];
  return { hold: held === brought && uneven.length === 0, lines };
}

function headLines(state: State): string[] {
  const { totals } = state;
  const amounts = [
    ["deposits", totals.deposits_micros],
    ["withdrawals", totals.withdrawals_micros],
    ["payouts", totals.payouts_micros],
    ["seeds", totals.seeds_micros],
    ["bonus granted", totals.granted_micros],
    ["bonus returned", totals.returned_micros],
    ["fee account", totals.feeAccount_micros],
  ] as const;
  return [
    `State after command ${state.commandNumber}`,
    ...textTable(
      ["hash", stateHash(state)],
      [
        ["time", timeText(state.time_ms)],
        ["volumes rolled to day", String(state.day)],
        ["last external number", String(state.externalNumber)],
        ["last order id", String(state.lastOrderId)],
      ],
    ),
    "",
    "Totals (USDT)",
    ...textTable(
      ["total", "amount"],
      amounts.map(([name, micros]) => [name, usdt(micros)]),
    ),
    ...checkInvariants(state).lines.map((line) => `  ${line}`),
  ];
}

const MARKET_HEADER = [
  ...["market", "status", "mark", "index", "last", "bid", "ask", "bid orders", "bid levels", "ask orders"],
  ...["ask levels", "open interest", "trades", "funding hour"],
];

function marketRow(market: MarketState): string[] {
  const { terms, book } = market;
  return [
    terms.symbol,
    STATUSES[market.status]!,
    priceText(market, market.markTicks),
    priceText(market, market.indexTicks),
    priceText(market, market.lastTicks),
    priceText(market, book.bestTicks(BUY)),
    priceText(market, book.bestTicks(SELL)),
    String(book.bids.orders),
    String(levelsOf(market, BUY)),
    String(book.asks.orders),
    String(levelsOf(market, SELL)),
    quantityText(market, market.openInterestLots),
    String(market.trades),
    String(market.fundingHour),
  ];
}

function levelsOf({ book }: MarketState, side: Side): number {
  const levels = book.levels[side];
  let count = 0;
  for (let ticks = levels.bestTicks; ticks !== 0; ticks = levels.ticksWorseThan(ticks)) count += 1;
  return count;
}

const ACCOUNT_HEADER = [
  ...["account", "principal", "bonus", "locked", "consumed", "in flight", "bonus state", "bonus expires"],
  ...["bonus leverage", "tier", "14-day volume", "discount bps", "terms", "follows", "flags"],
];

function* accountRows({ accounts }: State): Generator<string[]> {
  for (let account = 0; account <= accounts.count; account += 1) {
    const expires_ms = accounts.expires_ms(account);
    const leader = accounts.termsLeader(account);
    const flags = [
      accounts.hasFlag(account, FLAG_DOWNGRADE) ? "downgrade announced" : "",
      accounts.hasFlag(account, FLAG_OPENED_ON_BONUS) ? "opened on bonus" : "",
      accounts.hasFlag(account, FLAG_CALLED) ? "margin called" : "",
    ];
    yield [
      account === 0 ? "fund" : String(account),
      usdt(accounts.principal(account)),
      usdt(accounts.bonus(account)),
      usdt(accounts.locked(account)),
      usdt(accounts.consumed(account)),
      usdt(accounts.inFlight(account)),
      BONUS_STATES[accounts.bonusState(account)]!,
      expires_ms === 0 ? "" : timeText(expires_ms),
      String(accounts.bonusLeverage(account)),
      String(accounts.tier(account)),
      usdt(accounts.volume14d(account)),
      String(accounts.discount_bps(account)),
      String(accounts.termsVersion(account)),
      leader === OWN_TERMS ? "" : String(leader),
      flags.filter((flag) => flag !== "").join(", "),
    ];
  }
}

const SYMBOL_HEADER = [
  ...["symbol", "account", "market", "position", "cost", "value at mark", "unrealised", "isolated margin"],
  ...["leverage", "mode", "orders", "conditionals", "flags"],
];

function* symbolRows({ positions, markets }: State): Generator<string[]> {
  for (let at = 1; at <= positions.count; at += 1) {
    const market = markets[positions.market(at)]!;
    const cost = BigInt(positions.cost(at));
    const value = BigInt(positions.lots(at)) * BigInt(market.markTicks) * BigInt(market.terms.unit_micros);
    yield [
      String(at),
      positions.account(at) === 0 ? "fund" : String(positions.account(at)),
      market.terms.symbol,
      quantityText(market, positions.lots(at)),
      usdt(cost),
      usdt(value),
      usdt(value - cost),
      usdt(positions.isolated(at)),
      String(positions.leverage(at)),
      MODES[positions.mode(at)]!,
      String(positions.orders(at)),
      String(positions.conditionals(at)),
      positions.isCalled(at) ? "margin called" : "",
    ];
  }
}

const ORDER_HEADER = [
  ...["order", "account", "market", "side", "price", "quantity", "executed", "executed value", "time in force"],
  ...["self-trade", "reduce-only", "conditional", "client id", "created", "updated"],
];

/** Market by market in the order of the book: bids, then asks, the first in line first. */
function* orderRows({ markets, pool, details }: State): Generator<string[]> {
  for (const market of markets) {
    for (const side of [BUY, SELL]) {
      for (let slot = market.book.firstInLine(side); slot !== 0; slot = market.book.nextInLine(slot)) {
        const flags = pool.flags(slot);
        const conditional = details.conditional(slot);
        yield [
          String(pool.id(slot)),
          String(pool.account(slot)),
          market.terms.symbol,
          SIDES[side]!,
          priceText(market, pool.ticks(slot)),
          quantityText(market, pool.originalLots(slot)),
          quantityText(market, pool.originalLots(slot) - pool.remainingLots(slot)),
          usdt(pool.quote_micros(slot)),
          TIMES_IN_FORCE[timeInForceOf(flags)]!,
          PREVENTIONS[selfTradePreventionOf(flags)]!,
          yesOrNo((flags & ORDER_REDUCE_ONLY) !== 0),
          conditional === 0 ? "" : String(conditional),
          (flags & ORDER_HAS_NAME) === 0 ? "" : JSON.stringify(details.clientId(slot)),
          timeText(details.created_ms(slot)),
          timeText(details.updated_ms(slot)),
        ];
      }
    }
  }
}

const CONDITIONAL_HEADER = [
  ...["conditional", "account", "market", "side", "type", "trigger", "watches", "price", "time in force"],
  ...["self-trade", "quantity", "activate", "callback bps", "best", "parent", "asleep", "reduce-only", "protected"],
  ...["keeps id", "client id", "created"],
];

function* conditionalRows({ markets, conditionals }: State): Generator<string[]> {
  for (const conditional of [...conditionals.all()].sort((a, b) => a.id - b.id)) {
    yield conditionalRow(markets[conditional.market]!, conditional);
  }
}

function conditionalRow(market: MarketState, conditional: Conditional): string[] {
  return [
    String(conditional.id),
    String(conditional.account),
    market.terms.symbol,
    SIDES[conditional.side]!,
    CONDITIONAL_TYPES[conditional.type]!,
    priceText(market, conditional.triggerTicks),
    WORKING_TYPES[conditional.workingType]!,
    conditional.ticks === 0 ? "market" : priceText(market, conditional.ticks),
    TIMES_IN_FORCE[conditional.timeInForce]!,
    PREVENTIONS[conditional.selfTradePrevention]!,
    conditional.isClosePosition ? "all" : quantityText(market, conditional.lots),
    priceText(market, conditional.activateTicks),
    String(conditional.callback_bps),
    priceText(market, conditional.bestTicks),
    conditional.parent === 0 ? "" : String(conditional.parent),
    yesOrNo(conditional.isAsleep),
    yesOrNo(conditional.isReduceOnly),
    yesOrNo(conditional.isPriceProtected),
    yesOrNo(conditional.keepsId),
    conditional.clientId === "" ? "" : JSON.stringify(conditional.clientId),
    timeText(conditional.created_ms),
  ];
}

const yesOrNo = (isSo: boolean) => (isSo ? "yes" : "no");
const timeText = (time_ms: number) => new Date(time_ms).toISOString();
const usdt = (micros: number | bigint) => decimal(BigInt(micros), MICRO_places);

/** Nothing where there is no price. */
function priceText({ terms }: MarketState, ticks: number): string {
  if (ticks === 0) return "";
  return decimal(BigInt(ticks) * BigInt(terms.tickSize_e8), SIZE_places, placesOf(terms.tickSize_e8));
}

function quantityText({ terms }: MarketState, lots: number): string {
  return decimal(BigInt(lots) * BigInt(terms.lotSize_e8), SIZE_places, placesOf(terms.lotSize_e8));
}

/** The places after the point that multiples of a size need. */
function placesOf(size_e8: number): number {
  let places = SIZE_places;
  for (let rest = size_e8; places > 0 && rest % 10 === 0; rest /= 10) places -= 1;
  return places;
}
