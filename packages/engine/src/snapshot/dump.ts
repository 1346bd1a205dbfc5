import { sumUp } from "../checks/sums.ts";
import { FUND_ACCOUNT, PRICE_MATCHES } from "../contract/codes.ts";
import { BONUS_STATES } from "../rules/bonus-states.ts";
import { RULES_WITH_REFERENCES } from "../rules/version.ts";
import { BUY, SELL, type Side } from "../side.ts";
import { FLAG_CALLED, FLAG_DOWNGRADE, FLAG_OPENED_ON_BONUS, FLAG_OWES, OWN_TERMS } from "../state/accounts.ts";
import type { Conditional } from "../state/conditionals.ts";
import type { MarketState } from "../state/market-state.ts";
import type { State } from "../state/state.ts";
import { type OpenOrder, readOpenOrder } from "../views/open-orders.ts";
import { fairSections } from "./dump-fair.ts";
import { stateHash } from "./state-hash.ts";
import { ACCOUNTS, POSITIONS } from "./state-tables.ts";
import { type Columns, decimal, textTable } from "./text-table.ts";
import { timeText } from "./time-text.ts";

export interface DumpOptions {
  /** Per table; the dump states how many rows are left out. Without it: all rows. */
  readonly maxRows?: number;
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
 * The state as text, for people to read and for `diff` to compare: the same state gives the same text. Prices and
 * amounts are in USDT, quantities in the market's base asset; nothing is rounded.
 */
export function dumpState(state: State, { maxRows = Number.POSITIVE_INFINITY }: DumpOptions = {}): string {
  function section<Row>(title: string, columns: Columns<Row>, count: number, rows: Iterable<Row>): string[] {
    const shown: string[][] = [];
    for (const row of rows) {
      if (shown.length >= maxRows) break;
      shown.push(columns.map(([, text]) => text(row)));
    }
    const header = columns.map(([name]) => name);
    const lines = count === 0 ? ["  none"] : textTable(header, shown);
    const more = count > shown.length ? [`  … and ${count - shown.length} more`] : [];
    return ["", `${title} (${count})`, ...lines, ...more];
  }
  return [
    ...headLines(state),
    ...section("Markets", MARKET_COLUMNS, state.markets.length, state.markets),
    ...(state.isFair ? fairSections(state, section) : []),
    ...section(
      "Accounts",
      hasReferences(state) ? WALLET_COLUMNS : ACCOUNT_COLUMNS,
      state.accounts.count + 1,
      accountRows(state),
    ),
    ...section("Symbols of accounts", SYMBOL_COLUMNS, state.positions.count, symbolRows(state)),
    ...section(
      "Open orders",
      state.hasOrderTerms ? ORDER_TERMS_COLUMNS : ORDER_COLUMNS,
      state.index.size,
      orderRows(state),
    ),
    ...section("Conditional orders", conditionalColumns(state), state.conditionals.count, conditionalRows(state)),
    "",
  ].join("\n");
}

/** INV-1 and INV-2, computed from the records: whether they hold, and as text with both sides of the sum. */
export function checkInvariants(state: State): { readonly hold: boolean; readonly lines: readonly string[] } {
  const { held, brought, lots } = sumUp(state);
  const uneven = state.markets.filter(({ number }) => lots[number] !== 0n).map(({ definition }) => definition.symbol);
  const verdict = held === brought ? "they agree" : `THEY DIFFER by ${usdt(held - brought)}`;
  const lines = [
    `INV-1: ${usdt(held)} USDT are held, ${usdt(brought)} USDT were brought in: ${verdict}`,
    uneven.length === 0
      ? "INV-2: the positions of every market add up to 0"
      : `INV-2: the positions of ${uneven.join(", ")} DO NOT ADD UP to 0`,
  ];
  return { hold: held === brought && uneven.length === 0, lines };
}

const hasReferences = ({ rulesVersion }: State) => rulesVersion >= RULES_WITH_REFERENCES;

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
        ...(hasReferences(state)
          ? [
              ["digest of references", `${state.externalDigest} (from number ${state.referencesFrom + 1} on)`],
              ["rules version", String(state.rulesVersion)],
            ]
          : []),
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

const MARKET_COLUMNS: Columns<MarketState> = [
  ["market", ({ definition }) => definition.symbol],
  ["status", ({ status }) => STATUSES[status]!],
  ["mark", (market) => priceText(market, market.markTicks)],
  ["index", (market) => priceText(market, market.indexTicks)],
  ["last", (market) => priceText(market, market.lastTicks)],
  ["bid", (market) => priceText(market, market.book.bestTicks(BUY))],
  ["ask", (market) => priceText(market, market.book.bestTicks(SELL))],
  ["bid orders", ({ book }) => String(book.bids.orders)],
  ["bid levels", (market) => String(levelsOf(market, BUY))],
  ["ask orders", ({ book }) => String(book.asks.orders)],
  ["ask levels", (market) => String(levelsOf(market, SELL))],
  ["open interest", (market) => quantityText(market, market.openInterestLots)],
  ["trades", ({ trades }) => String(trades)],
  ["funding hour", ({ fundingHour }) => String(fundingHour)],
];

function levelsOf({ book }: MarketState, side: Side): number {
  const levels = book.levels[side];
  let count = 0;
  for (let ticks = levels.bestTicks; ticks !== 0; ticks = levels.ticksWorseThan(ticks)) count += 1;
  return count;
}

const FLAG_NAMES = [
  [FLAG_DOWNGRADE, "downgrade announced"],
  [FLAG_OPENED_ON_BONUS, "opened on bonus"],
  [FLAG_CALLED, "margin called"],
  [FLAG_OWES, "owes"],
] as const;

const ACCOUNT_COLUMNS: Columns<ReturnType<typeof accountRow>> = [
  ["account", ({ account }) => accountName(account)],
  ["principal", ({ principal }) => usdt(principal)],
  ["bonus", ({ bonus }) => usdt(bonus)],
  ["locked", ({ locked }) => usdt(locked)],
  ["consumed", ({ consumed }) => usdt(consumed)],
  ["in flight", ({ inFlight }) => usdt(inFlight)],
  ["bonus state", ({ bonusState }) => BONUS_STATES[bonusState]!],
  ["bonus expires", ({ expires_ms }) => (expires_ms === 0 ? "" : timeText(expires_ms))],
  ["bonus leverage", ({ bonusLeverage }) => String(bonusLeverage)],
  ["tier", ({ tier }) => String(tier)],
  ["14-day volume", ({ volume14d }) => usdt(volume14d)],
  ["discount bps", ({ discount_bps }) => String(discount_bps)],
  ["terms", ({ termsVersion }) => String(termsVersion)],
  ["follows", ({ termsLeader }) => (termsLeader === OWN_TERMS ? "" : String(termsLeader))],
  ["flags", ({ lastingFlags }) => FLAG_NAMES.flatMap(([flag, name]) => (lastingFlags & flag ? name : [])).join(", ")],
];

/** From rules version 4 on. */
const WALLET_COLUMNS: typeof ACCOUNT_COLUMNS = [...ACCOUNT_COLUMNS, ["wallet", ({ commitment }) => commitment]];

function accountRow({ accounts }: State, account: number) {
  const commitment = accounts.commitment(account);
  return { account, volume14d: accounts.volume14d(account), commitment, ...ACCOUNTS.rowOf(accounts, account) };
}

function* accountRows(state: State) {
  for (let account = 0; account <= state.accounts.count; account += 1) yield accountRow(state, account);
}

const SYMBOL_COLUMNS: Columns<ReturnType<typeof symbolRow>> = [
  ["symbol", ({ symbol }) => String(symbol)],
  ["account", ({ account }) => accountName(account)],
  ["market", ({ market }) => market.definition.symbol],
  ["position", ({ market, lots }) => quantityText(market, lots)],
  ["cost", ({ cost }) => usdt(cost)],
  ["value at mark", ({ value }) => usdt(value)],
  ["unrealised", ({ value, cost }) => usdt(value - BigInt(cost))],
  ["isolated margin", ({ isolated }) => usdt(isolated)],
  ["leverage", ({ leverage }) => String(leverage)],
  ["mode", ({ mode }) => MODES[mode]!],
  ["orders", ({ orders }) => String(orders)],
  ["conditionals", ({ conditionals }) => String(conditionals)],
  ["flags", ({ isCalled }) => (isCalled ? "margin called" : "")],
];

function symbolRow({ positions, markets }: State, symbol: number) {
  const row = POSITIONS.rowOf(positions, symbol);
  const market = markets[row.market]!;
  const value = BigInt(row.lots) * BigInt(market.markTicks) * BigInt(market.definition.unit_micros);
  const counts = { orders: positions.orders(symbol), conditionals: positions.conditionals(symbol) };
  return { ...row, ...counts, symbol, market, value };
}

function* symbolRows(state: State) {
  for (let symbol = 1; symbol <= state.positions.count; symbol += 1) yield symbolRow(state, symbol);
}

type InMarket<Order> = Omit<Order, "market"> & { readonly market: MarketState };

const ORDER_COLUMNS: Columns<InMarket<OpenOrder>> = [
  ["order", ({ id }) => String(id)],
  ["account", ({ account }) => String(account)],
  ["market", ({ market }) => market.definition.symbol],
  ["side", ({ side }) => SIDES[side]!],
  ["price", ({ market, ticks }) => priceText(market, ticks)],
  ["quantity", ({ market, lots }) => quantityText(market, lots)],
  ["executed", ({ market, executedLots }) => quantityText(market, executedLots)],
  ["executed value", ({ quote_micros }) => usdt(quote_micros)],
  ["time in force", ({ timeInForce }) => TIMES_IN_FORCE[timeInForce]!],
  ["self-trade", ({ selfTradePrevention }) => PREVENTIONS[selfTradePrevention]!],
  ["reduce-only", ({ isReduceOnly }) => yesOrNo(isReduceOnly)],
  ["conditional", ({ conditional }) => idText(conditional)],
  ["client id", ({ clientId }) => clientIdText(clientId)],
  ["created", ({ created_ms }) => timeText(created_ms)],
  ["updated", ({ updated_ms }) => timeText(updated_ms)],
];

/** From rules version 6 on. */
const TERMS_COLUMNS: Columns<Pick<OpenOrder, "goodTill_ms" | "priceMatch">> = [
  ["good till", ({ goodTill_ms }) => (goodTill_ms === 0 ? "" : timeText(goodTill_ms))],
  ["price match", ({ priceMatch }) => PRICE_MATCHES[priceMatch]!],
];
const ORDER_TERMS_COLUMNS: typeof ORDER_COLUMNS = [...ORDER_COLUMNS, ...TERMS_COLUMNS];

/** Market by market in the order of the book: bids, then asks, best price and oldest first. */
function* orderRows(state: State): Generator<InMarket<OpenOrder>> {
  for (const market of state.markets) {
    for (const side of [BUY, SELL]) {
      for (let slot = market.book.firstInLine(side); slot !== 0; slot = market.book.nextInLine(slot)) {
        yield { ...readOpenOrder(state, slot), market };
      }
    }
  }
}

const CONDITIONAL_COLUMNS: Columns<InMarket<Conditional>> = [
  ["conditional", ({ id }) => String(id)],
  ["account", ({ account }) => String(account)],
  ["market", ({ market }) => market.definition.symbol],
  ["side", ({ side }) => SIDES[side]!],
  ["type", ({ type }) => CONDITIONAL_TYPES[type]!],
  ["trigger", ({ market, triggerTicks }) => priceText(market, triggerTicks)],
  ["watches", ({ workingType }) => WORKING_TYPES[workingType]!],
  ["price", ({ market, ticks, priceMatch }) => conditionalPriceText(market, ticks, priceMatch)],
  ["time in force", ({ timeInForce }) => TIMES_IN_FORCE[timeInForce]!],
  ["self-trade", ({ selfTradePrevention }) => PREVENTIONS[selfTradePrevention]!],
  ["quantity", ({ market, lots, isClosePosition }) => (isClosePosition ? "all" : quantityText(market, lots))],
  ["activate", ({ market, activateTicks }) => priceText(market, activateTicks)],
  ["callback bps", ({ callback_bps }) => String(callback_bps)],
  ["best", ({ market, bestTicks }) => priceText(market, bestTicks)],
  ["parent", ({ parent }) => idText(parent)],
  ["asleep", ({ isAsleep }) => yesOrNo(isAsleep)],
  ["reduce-only", ({ isReduceOnly }) => yesOrNo(isReduceOnly)],
  ["protected", ({ isPriceProtected }) => yesOrNo(isPriceProtected)],
  ["keeps id", ({ keepsId }) => yesOrNo(keepsId)],
  ["client id", ({ clientId }) => clientIdText(clientId)],
  ["created", ({ created_ms }) => timeText(created_ms)],
];

/** From rules version 5 on. */
const REARMED_COLUMNS: typeof CONDITIONAL_COLUMNS = [...CONDITIONAL_COLUMNS, ["tries", ({ tries }) => String(tries)]];

function conditionalColumns({ isFair, hasOrderTerms }: State): typeof CONDITIONAL_COLUMNS {
  if (hasOrderTerms) return [...REARMED_COLUMNS, ...TERMS_COLUMNS];
  return isFair ? REARMED_COLUMNS : CONDITIONAL_COLUMNS;
}

function* conditionalRows({ markets, conditionals }: State): Generator<InMarket<Conditional>> {
  for (const conditional of [...conditionals.all()].sort((a, b) => a.id - b.id)) {
    yield { ...conditional, market: markets[conditional.market]! };
  }
}

const accountName = (account: number) => (account === FUND_ACCOUNT ? "fund" : String(account));
const idText = (id: number) => (id === 0 ? "" : String(id));
const clientIdText = (clientId: string) => (clientId === "" ? "" : JSON.stringify(clientId));
const yesOrNo = (isSo: boolean) => (isSo ? "yes" : "no");
const usdt = (micros: number | bigint) => decimal(BigInt(micros), MICRO_places);

function conditionalPriceText(market: MarketState, ticks: number, priceMatch: number): string {
  if (ticks !== 0) return priceText(market, ticks);
  return priceMatch === 0 ? "market" : "from the book";
}

/** Empty if there is no price. */
function priceText({ definition }: MarketState, ticks: number): string {
  if (ticks === 0) return "";
  return decimal(BigInt(ticks) * BigInt(definition.tickSize_e8), SIZE_places, placesOf(definition.tickSize_e8));
}

function quantityText({ definition }: MarketState, lots: number): string {
  return decimal(BigInt(lots) * BigInt(definition.lotSize_e8), SIZE_places, placesOf(definition.lotSize_e8));
}

/** The number of decimals that multiples of a size need. */
function placesOf(size_e8: number): number {
  let places = SIZE_places;
  for (let rest = size_e8; places > 0 && rest % 10 === 0; rest /= 10) places -= 1;
  return places;
}
