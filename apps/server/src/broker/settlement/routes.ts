import {
  CalculatedRebates,
  CalculateRebatesRequest,
  ExplainedRecord,
  RebateProof,
  RebateRecordPath,
  SettlementPath,
  SettlementRoot,
  SkippedFills,
  SkippedFillsQuery,
} from "@bourse/api";
import { admin, signedIn, wallet, walletOrAdmin } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import type { PageCursors } from "../../kernel/page-cursor.ts";
import { Callers } from "../active-brokers.ts";
import { actorOf, schemaRefusal } from "../callers.ts";
import { readDay, readRange } from "../days.ts";
import { readUuid } from "../inputs.ts";
import type { BrokerDb } from "../tables.ts";
import { explainRecord } from "./explain.ts";
import { viewerOf } from "./record-access.ts";
import type { SettlementRoots } from "./roots.ts";
import { type SettlementService, settlementReply } from "./settlement-service.ts";
import { readSkippedFills } from "./skipped-fills.ts";

const tags = ["Broker: settlement and proofs"];
const BASE = "/api/v1/broker";

export interface SettlementRoutesOptions {
  readonly db: BrokerDb;
  readonly service: SettlementService;
  readonly roots: SettlementRoots;
  readonly cursors: PageCursors;
}

/** Interface 4.1, BRK-9, BRK-17. */
export function registerSettlementRoutes(app: App, options: SettlementRoutesOptions): void {
  registerCalculate(app, options);
  registerProofs(app, options);
  registerSkippedFills(app, options);
}

function registerCalculate(app: App, { service }: SettlementRoutesOptions): void {
  app.post(
    `${BASE}/admin/rebate/calculate`,
    {
      config: { access: admin, client: "brokerAdmin.calculateRebates(period)" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Settle a day",
        description:
          "Turns the day's fees into rebate records, in one transaction. A day that is over is closed, today's figures " +
          "are provisional. Repeated it changes nothing unless fees were added; records that are paid or in a batch " +
          "get an adjustment beside them instead.",
        body: CalculateRebatesRequest,
        response: { 200: CalculatedRebates },
      },
    },
    async (request) => settlementReply(await service.calculate(request.body.period, actorOf(request))),
  );
}

function registerProofs(app: App, { db, roots }: SettlementRoutesOptions): void {
  app.get(
    `${BASE}/settlements/:period/root`,
    {
      config: { access: signedIn, client: "broker.settlementRoot" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "The Merkle root of a settled day",
        description: "With every root the day has had. Keep the root: a record's proof leads to it.",
        params: SettlementPath,
        response: { 200: SettlementRoot },
      },
    },
    ({ params }) => roots.root(readDay("period", params.period)),
  );

  app.get(
    `${BASE}/rebate-records/:id/proof`,
    {
      config: { access: walletOrAdmin, client: "broker.rebateProof" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "The proof that a record is under its day's root",
        description:
          "For the record's broker, its downline, the parent that shares in it, the affiliate, and admins. " +
          "`scripts/verify-rebate.mjs` checks it without this server.",
        params: RebateRecordPath,
        response: { 200: RebateProof },
      },
    },
    (request) => roots.proof(readUuid("id", request.params.id), viewerOf(request)),
  );

  app.get(
    `${BASE}/rebate-records/:id/explain`,
    {
      config: { access: walletOrAdmin, client: "broker.explainRebate" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Explain how a record was computed",
        description:
          "The fills, rates, cap and formula behind it, and who is owed what. Open to the same as its proof.",
        params: RebateRecordPath,
        response: { 200: ExplainedRecord },
      },
    },
    (request) => explainRecord(db, readUuid("id", request.params.id), viewerOf(request)),
  );
}

function registerSkippedFills(app: App, { db, service, cursors }: SettlementRoutesOptions): void {
  const callers = new Callers(db);
  app.get(
    `${BASE}/skipped-fills`,
    {
      config: { access: wallet, client: "broker.skippedFills" },
      preValidation: callers.identify,
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Fills whose fees do not count, or not all of them",
        description:
          "Of the broker's downlines and its own, newest first, each with the reason. Without `from` the last 30 days.",
        querystring: SkippedFillsQuery,
        response: { 200: SkippedFills },
      },
    },
    (request) => {
      const { limit, cursor, ...days } = request.query;
      const list = { broker: callers.of(request), range: readRange(days, service.today), asked: days };
      return readSkippedFills({ db, cursors }, list, { limit, cursor });
    },
  );
}
