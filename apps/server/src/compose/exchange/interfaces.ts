import { NEWEST_RULES, RULES_WITH_FAIR_MARKETS } from "@bourse/engine";
import { registerFaucetRoute } from "../../dev/index.ts";
import {
  createEventStore,
  cursorKey,
  InvariantChecks,
  MarketAdmin,
  RulesAdmin,
  rebuildFrom,
  registerAccountRoutes,
  registerDevPriceRoute,
  registerExchangeAdminRoutes,
  registerPriceAdminRoutes,
  registerRelatedRoutes,
  rehearseAside,
  replayAgrees,
} from "../../exchange/index.ts";
import type { App } from "../../kernel/http/app.ts";
import { PageCursors } from "../../kernel/page-cursor.ts";
import {
  computeBacking,
  judgeBacking,
  MAX_micros,
  MIN_micros,
  ownAddresses,
  registerReviewRoutes,
  registerSwitchRoutes,
  registerWalletRoutes,
  WalletTransfers,
  WithdrawAddresses,
} from "../../wallet/index.ts";
import type { Host } from "./host.ts";
import type { Money } from "./money.ts";
import type { ExchangeSystemOptions } from "./options.ts";
import type { Readers } from "./readers.ts";
import { openServing, type Serving } from "./serving.ts";
import { sourcesProblem } from "./sources.ts";

/** The results of all steps so far. */
export interface Parts {
  readonly host: Host;
  readonly money: Money;
  readonly readers: Readers;
  readonly interfaces: Serving;
}

/** Step 4: the /fapi interface and the streams. `isUnlimited` selects wallets without order limits. */
export function openInterfaces(
  options: ExchangeSystemOptions,
  { exchange }: Host,
  { directory }: Money,
  readers: Readers,
  isUnlimited: (address: string) => boolean,
): Serving {
  const { settings, database, log } = options;
  return openServing({
    ...options,
    ...readers,
    exchange,
    directory,
    isUnlimited,
    beforeHandling: options.cluster === undefined ? undefined : () => exchange.current(),
    eventStore: createEventStore(database),
    rebuildEvents: rebuildFrom(settings.dataDir, (line) => log.warn(line)),
  });
}

/** Step 5: registers every route of the exchange. */
export function registerRoutes(app: App, options: ExchangeSystemOptions, parts: Parts): void {
  const { settings, database, clock, random, identity } = options;
  const { exchange } = parts.host;
  const { directory, deposits, withdrawals, reviews, switches, onChain } = parts.money;
  const { prices, history, marketData } = parts.readers;
  const { accountSettings, fapi, streams } = parts.interfaces;
  const cursors = new PageCursors(cursorKey(settings.jwtSecret));
  fapi.register(app);
  registerAccountRoutes(app, {
    exchange,
    directory,
    accountSettings,
    clock,
    history,
    cursors,
    marketData,
    prices: { estimate_e8: (market) => prices.estimatedRate_e8(market) },
    privateEvents: streams.privateEvents,
    orderLimits: options.limits,
    tokens: identity.tokens,
  });
  const addresses = new WithdrawAddresses({ database, clock });
  const own = ownAddresses({ ...options.chain, settings });
  registerWalletRoutes(app, { deposits, withdrawals, addresses, cursors, ownAddresses: own });
  registerReviewRoutes(app, { reviews, cursors });
  registerRelatedRoutes(app, {
    ...{ clock, settings },
    transfers: new WalletTransfers(database),
    gate: {
      chainId: settings.chainId,
      confirmations: settings.chainConfirmations,
      vault: options.chain.contracts.vault,
      token: options.chain.contracts.usdt,
      smallest_micros: MIN_micros,
      largest_micros: MAX_micros,
      areWithdrawalsPaused: async () => (await switches.read()).withdrawals_paused,
    },
  });
  registerAdmin(app, options, parts);
  if (settings.environment === "development") {
    registerFaucetRoute(app, { faucet: onChain.faucet, exchange, random });
    registerDevPriceRoute(app, { prices, exchange });
  }
}

function registerAdmin(app: App, options: ExchangeSystemOptions, { host, money, readers }: Parts): void {
  const { settings, database, clock, random, audit, chain, programInvariants } = options;
  const { exchange, recovered } = host;
  const { engineRequests, switches, directory } = money;
  const { prices, risk } = readers;
  registerPriceAdminRoutes(app, { prices, exchange });
  registerExchangeAdminRoutes(app, {
    markets: new MarketAdmin({ database, audit, exchange, engineRequests, random, prices }),
    risk,
    rules: new RulesAdmin({
      database,
      clock,
      audit,
      exchange,
      engineRequests,
      directory,
      folder: settings.dataDir,
      archive: settings.backupDir,
      rehearse: rehearseAside,
      takeUpSettings: () => money.earlierSettings.run(),
      obstacleTo: (version) => (version >= RULES_WITH_FAIR_MARKETS ? sourcesProblem(settings) : undefined),
      knownRules: () => options.cluster?.knownRules() ?? Promise.resolve(NEWEST_RULES),
    }),
    invariants: new InvariantChecks({
      exchange,
      clock,
      replay: () => replayAgrees(settings.dataDir, exchange.engine),
      durableNumber: () => recovered.log.nextNumber - 1,
      programs: {
        ...programInvariants,
        "INV-10": async () => risk.judgeFund(),
        "INV-11": () => risk.judgeTransfers(),
        "INV-8": async (engine) => judgeBacking(await computeBacking({ ...chain, database }, engine)),
      },
    }),
  });
  registerSwitchRoutes(app, switches);
}
