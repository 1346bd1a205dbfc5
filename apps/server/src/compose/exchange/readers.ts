import {
  createListenKeyStore,
  createPriceStore,
  createPrices,
  cursorKey,
  Downloads,
  History,
  ListenKeys,
  MarketData,
  Markets,
  type Prices,
  RiskWatch,
  watchAccounts,
  watchMarkets,
} from "../../exchange/index.ts";
import { keyFor } from "../../kernel/secret-box.ts";
import type { Host } from "./host.ts";
import type { Money } from "./money.ts";
import type { ExchangeSystemOptions } from "./options.ts";

/** The parts that follow the engine and answer queries. */
export interface Readers {
  readonly prices: Prices;
  readonly history: History;
  readonly marketData: MarketData;
  readonly listenKeys: ListenKeys;
  readonly risk: RiskWatch;
  readonly downloads: Downloads;
}

/** Step 3: prices, history and market data. They must listen before the exchange's first command. */
export async function openReaders(
  options: ExchangeSystemOptions,
  { exchange, projector }: Host,
  { directory }: Pick<Money, "directory">,
): Promise<Readers> {
  const { settings, database, clock, random, log, metrics } = options;
  const prices = createPrices({
    exchange,
    clock,
    random,
    store: createPriceStore(database),
    choice: settings.priceSources,
    onAlarm: (message) => log.error(message),
    onError: (message, error) => log.warn({ err: error }, message),
  });
  if (settings.environment === "production" && settings.priceSources.isSimulated) {
    log.warn(
      "PRICE_SOURCES is simulated: prices are invented. Name ccxt:<exchanges> or push before real money trades.",
    );
  }
  const history = new History({
    database,
    projector,
    clock,
    cursorKey: cursorKey(settings.jwtSecret),
    keptDays: settings.historyDays,
  });
  const marketData = new MarketData({
    exchange,
    clock,
    expectedFunding_e8: (market) => prices.estimatedRate_e8(market),
  });
  const listenKeys = new ListenKeys({
    store: createListenKeyStore(database),
    clock,
    random,
    secret: settings.secretsKey,
    ...(options.cluster === undefined ? {} : { bus: options.cluster.bus }),
  });
  await listenKeys.load();
  watchMarkets(metrics, { engine: exchange.engine, clock, prices, marketData });
  watchAccounts(metrics, exchange.engine);
  const risk = new RiskWatch({
    database,
    engine: exchange.engine,
    clock,
    history: history.risk,
    log,
    addressOf: (account) => directory.addressOf(account),
  });
  risk.watch(metrics);
  const downloads = new Downloads({
    database,
    history,
    markets: new Markets(exchange.engine),
    clock,
    random,
    key: keyFor(settings.secretsKey, "download-url"),
    publicUrl: settings.publicUrl,
  });
  return { prices, history, marketData, listenKeys, risk, downloads };
}
