import {
  Invariants,
  MarketInfo,
  MarketList,
  MarketRequest,
  MarketStatusRequest,
  NamedMarketStatusRequest,
  SwitchesRequest,
  Switches as SwitchStates,
  SymbolPath,
  WithdrawalSwitchRequest,
} from "@bourse/api";
import type { FastifyRequest } from "fastify";
import { forbidden } from "../../kernel/errors.ts";
import type { Access } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import type { Switches, Turner } from "../../wallet/switches.ts";
import { sendAccountError } from "../account/refusals.ts";
import type { InvariantChecks } from "./invariants.ts";
import type { MarketAdmin } from "./market-admin.ts";

const tags = ["Exchange administration"];
const admin: Access = { area: "json", allow: ["admin"] };

export const exchangeAdminPolicy: Readonly<Record<string, Access>> = {
  "GET /api/v1/admin/markets": admin,
  "POST /api/v1/admin/markets": admin,
  "PUT /api/v1/admin/markets": admin,
  "PUT /api/v1/admin/markets/:symbol": admin,
  "GET /api/v1/admin/invariants": admin,
  "GET /api/v1/admin/switches": admin,
  "PUT /api/v1/admin/switches": admin,
  "PUT /api/v1/admin/switches/withdrawals": admin,
};

export interface ExchangeAdminOptions {
  readonly markets: MarketAdmin;
  readonly invariants: InvariantChecks;
  readonly switches: Switches;
}

/** Who acts, for the audit log. */
function turnerOf({ principal, address, id }: FastifyRequest, reason: string | undefined): Turner {
  if (principal?.kind !== "staff") throw forbidden("this is open to admins only");
  return { actor: principal.id, role: principal.role, ip: address, request_id: id, reason };
}

export function registerExchangeAdminRoutes(app: App, options: ExchangeAdminOptions): void {
  registerMarketAdminRoutes(app, options.markets);
  registerSwitchRoutes(app, options.switches);

  app.get(
    "/api/v1/admin/invariants",
    { schema: { tags, summary: "What must always be true, checked now", response: { 200: Invariants } } },
    async () => ({ invariants: await options.invariants.check() }),
  );
}

function registerMarketAdminRoutes(app: App, markets: MarketAdmin): void {
  app.get(
    "/api/v1/admin/markets",
    { schema: { tags, summary: "All markets, halted ones included", response: { 200: MarketList } } },
    () => ({ markets: markets.list() }),
  );

  app.post(
    "/api/v1/admin/markets",
    {
      errorHandler: sendAccountError,
      schema: {
        tags,
        summary: "Add a market",
        description: "What is not given is that of its risk class. It trades at once, from its start price.",
        body: MarketRequest,
        response: { 200: MarketInfo },
      },
    },
    (request) => markets.add(request.body, turnerOf(request, request.body.reason)),
  );

  app.put(
    "/api/v1/admin/markets",
    {
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
      return markets.setStatus(symbol, status, turnerOf(request, reason));
    },
  );

  app.put(
    "/api/v1/admin/markets/:symbol",
    {
      errorHandler: sendAccountError,
      schema: {
        tags,
        summary: "Halt a market, let it only reduce, or let it trade",
        params: SymbolPath,
        body: MarketStatusRequest,
        response: { 200: MarketInfo },
      },
    },
    (request) => markets.setStatus(request.params.symbol, request.body.status, turnerOf(request, request.body.reason)),
  );
}

/** VLT-1: the kill switch, by its own path and among all switches. */
function registerSwitchRoutes(app: App, switches: Switches): void {
  app.get(
    "/api/v1/admin/switches",
    { schema: { tags, summary: "The kill switches", response: { 200: SwitchStates } } },
    () => switches.read(),
  );

  app.put(
    "/api/v1/admin/switches",
    { schema: { tags, summary: "Turn the kill switches", body: SwitchesRequest, response: { 200: SwitchStates } } },
    (request) => switches.setWithdrawalsPaused(request.body.withdrawals_paused, turnerOf(request, request.body.reason)),
  );

  app.put(
    "/api/v1/admin/switches/withdrawals",
    {
      schema: {
        tags,
        summary: "Pause or resume withdrawals",
        body: WithdrawalSwitchRequest,
        response: { 200: SwitchStates },
      },
    },
    (request) => switches.setWithdrawalsPaused(request.body.paused, turnerOf(request, request.body.reason)),
  );
}
