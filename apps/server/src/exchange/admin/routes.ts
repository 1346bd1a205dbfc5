import {
  Invariants,
  MarketInfo,
  MarketList,
  MarketRequest,
  MarketStatusRequest,
  NamedMarketStatusRequest,
  RulesVersion,
  RulesVersionReply,
  RulesVersionRequest,
  SymbolPath,
} from "@bourse/api";
import { admin } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { staffActor } from "../../kernel/http/callers.ts";
import { wholeReply } from "../../kernel/pages.ts";
import { sendAccountError } from "../account/refusals.ts";
import type { InvariantChecks } from "./invariants.ts";
import type { MarketAdmin } from "./market-admin.ts";
import { registerRiskAdminRoutes } from "./risk-routes.ts";
import type { RiskWatch } from "./risk-watch.ts";
import type { RulesAdmin } from "./rules-admin.ts";

const tags = ["Exchange administration"];

export interface ExchangeAdminOptions {
  readonly markets: MarketAdmin;
  readonly invariants: InvariantChecks;
  readonly rules: RulesAdmin;
  readonly risk: RiskWatch;
}

export function registerExchangeAdminRoutes(app: App, options: ExchangeAdminOptions): void {
  registerMarketAdminRoutes(app, options.markets);
  registerRiskAdminRoutes(app, options.markets, options.risk);

  app.get(
    "/api/v1/admin/invariants",
    {
      config: { access: admin, client: "exchangeAdmin.invariants" },
      schema: { tags, summary: "Invariants, checked now", response: { 200: Invariants } },
    },
    async () => ({ invariants: await options.invariants.check() }),
  );
  registerRulesRoutes(app, options.rules);
}

function registerRulesRoutes(app: App, rules: RulesAdmin): void {
  app.get(
    "/api/v1/admin/rules-version",
    {
      config: { access: admin, client: "exchangeAdmin.rulesVersion" },
      schema: {
        tags,
        summary: "The rules version that holds, and the newest possible one",
        response: { 200: RulesVersion },
      },
    },
    () => rules.read(),
  );

  app.post(
    "/api/v1/admin/rules-version",
    {
      config: { access: admin, client: "exchangeAdmin.setRulesVersion" },
      errorHandler: sendAccountError,
      schema: {
        tags,
        summary: "Change to later rules, for good",
        description:
          "The change is a command in the log: everybody who follows the log changes at the same place. With dry_run nothing changes: the last day of the log is replayed by the later rules, and what would have differed in money is shown.",
        body: RulesVersionRequest,
        response: { 200: RulesVersionReply },
      },
    },
    (request) => rules.set(request.body, staffActor(request)),
  );
}

function registerMarketAdminRoutes(app: App, markets: MarketAdmin): void {
  app.get(
    "/api/v1/admin/markets",
    {
      config: { access: admin, client: "exchangeAdmin.markets" },
      schema: { tags, summary: "All markets, halted ones included", response: { 200: MarketList } },
    },
    () => wholeReply(markets.list(), "markets"),
  );

  app.post(
    "/api/v1/admin/markets",
    {
      config: { access: admin, client: "exchangeAdmin.addMarket" },
      errorHandler: sendAccountError,
      schema: {
        tags,
        summary: "Add a market",
        description: "Missing parameters come from its risk class. The market trades at once, from its start price.",
        body: MarketRequest,
        response: { 200: MarketInfo },
      },
    },
    (request) => markets.add(request.body, staffActor(request)),
  );

  app.put(
    "/api/v1/admin/markets",
    {
      config: { access: admin },
      errorHandler: sendAccountError,
      schema: {
        tags,
        summary: "The same, with the symbol in the body",
        body: NamedMarketStatusRequest,
        response: { 200: MarketInfo },
      },
    },
    (request) => {
      const { symbol, status, reason } = request.body;
      return markets.setStatus(symbol, status, staffActor(request), reason);
    },
  );

  app.put(
    "/api/v1/admin/markets/:symbol",
    {
      config: { access: admin, client: "exchangeAdmin.setMarketStatus" },
      errorHandler: sendAccountError,
      schema: {
        tags,
        summary: "Set a market to trading, reduce-only or halted",
        params: SymbolPath,
        body: MarketStatusRequest,
        response: { 200: MarketInfo },
      },
    },
    (request) =>
      markets.setStatus(request.params.symbol, request.body.status, staffActor(request), request.body.reason),
  );
}
