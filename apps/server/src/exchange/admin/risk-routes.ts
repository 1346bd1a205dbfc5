import {
  FundReport,
  MarketRulesReply,
  MarketRulesRequest,
  MarketRulesView,
  SymbolPath,
  UnfairTransfers,
  UnfairTransfersQuery,
} from "@bourse/api";
import { admin } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { staffActor } from "../../kernel/http/callers.ts";
import { sendAccountError } from "../account/refusals.ts";
import type { MarketAdmin } from "./market-admin.ts";
import type { RiskWatch } from "./risk-watch.ts";

const tags = ["Exchange administration"];

export function registerRiskAdminRoutes(app: App, markets: MarketAdmin, risk: RiskWatch): void {
  app.get(
    "/api/v1/admin/markets/:symbol/rules",
    {
      config: { access: admin, client: "exchangeAdmin.marketRules" },
      errorHandler: sendAccountError,
      schema: {
        tags,
        summary: "The bounds of a market",
        description: "From rules version 5 on; before it 409 RULES_TOO_OLD.",
        params: SymbolPath,
        response: { 200: MarketRulesView },
      },
    },
    (request) => markets.rules(request.params.symbol),
  );

  app.put(
    "/api/v1/admin/markets/:symbol/rules",
    {
      config: { access: admin, client: "exchangeAdmin.setMarketRules" },
      errorHandler: sendAccountError,
      schema: {
        tags,
        summary: "Change bounds of a market",
        description:
          "What is not named stays. The whole must make sense, or everything that is wrong is listed (INVALID_MARKET_RULES). Repeating it changes nothing. From rules version 5 on; before it 409 RULES_TOO_OLD.",
        params: SymbolPath,
        body: MarketRulesRequest,
        response: { 200: MarketRulesReply },
      },
    },
    (request) => markets.setRules(request.params.symbol, request.body, staffActor(request)),
  );

  app.get(
    "/api/v1/admin/risk/fund",
    {
      config: { access: admin, client: "exchangeAdmin.fund" },
      schema: { tags, summary: "INV-10: the insurance fund in every market", response: { 200: FundReport } },
    },
    () => risk.fundReport(),
  );

  app.get(
    "/api/v1/admin/risk/transfers",
    {
      config: { access: admin, client: "exchangeAdmin.transfers" },
      errorHandler: sendAccountError,
      schema: {
        tags,
        summary: "INV-11: money that pairs of accounts moved by fills far from the mark",
        description: "Of trades between orders in the last 24 hours, and the hour in which these began.",
        querystring: UnfairTransfersQuery,
        response: { 200: UnfairTransfers },
      },
    },
    (request) => risk.transfers(request.query),
  );
}
