import {
  AffiliateRecordList,
  BrokerLeaderboard,
  BrokerLeaderboardQuery,
  BrokerOverview,
  BrokerPerformance,
  DayRangeQuery,
  DownlineList,
  DownlineQuery,
  PeriodQuery,
  RebateRecordList,
  RebateTrend,
  ShareIncomeList,
  WhatIf,
  WhatIfQuery,
} from "@bourse/api";
import { Type } from "typebox";
import type { Clock } from "../../kernel/clock.ts";
import { dayOf } from "../../kernel/dates.ts";
import { bd, wallet } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { Callers } from "../active-brokers.ts";
import { actorOf, schemaRefusal, walletOf } from "../callers.ts";
import { rangeUpTo, readDay, readRange } from "../days.ts";
import type { BrokerDb } from "../tables.ts";
import { Downlines } from "./downlines.ts";
import { exportRecords } from "./export.ts";
import { readLeaderboard } from "./leaderboard.ts";
import { readOverview } from "./overview.ts";
import { readPerformance } from "./performance.ts";
import { readAffiliateRecords, readBrokerRecords, readOwnRecords, readShareIncome } from "./records.ts";
import { readTrend } from "./trend.ts";
import { readWhatIf } from "./what-if.ts";

const BASE = "/api/v1/broker";
const tags = ["Broker"];
const JSON_TYPE = "application/json; charset=utf-8";
/** Of the trend, and of the fees that decide about tiers. */
const TREND_DAYS = 30;

interface Context {
  readonly db: BrokerDb;
  readonly callers: Callers;
  readonly downlines: Downlines;
  /** The UTC day. */
  readonly today: () => string;
}

/** Who is no broker is told so before anything else is looked at. */
const asBroker = ({ identify }: Callers) => ({ preValidation: identify, schemaErrorFormatter: schemaRefusal });

const periodOf = ({ period }: { readonly period?: string }) =>
  period === undefined ? undefined : readDay("period", period);

/** What partners and users see (interface 4.2, BRK-11, BRK-15, BRK-17). */
export function registerReportRoutes(app: App, { db, clock }: { readonly db: BrokerDb; readonly clock: Clock }): void {
  const context = {
    db,
    callers: new Callers(db),
    downlines: new Downlines(db),
    today: () => dayOf(clock.now()),
  };
  registerStanding(app, context);
  registerDownlines(app, context);
  registerRecords(app, context);
  registerOpenRecords(app, context);
  registerAnalyses(app, context);
}

function registerStanding(app: App, { db, callers, today }: Context): void {
  app.get(
    `${BASE}/overview`,
    {
      config: { access: wallet, client: "broker.overview" },
      ...asBroker(callers),
      schema: {
        tags,
        summary: "Overview of a broker",
        description: "Totals of all settled days, the provisional one included, and the way to the next tier.",
        response: { 200: BrokerOverview },
      },
    },
    (request) => readOverview(db, callers.of(request).id, rangeUpTo(today(), TREND_DAYS)),
  );

  app.get(
    `${BASE}/leaderboard`,
    {
      config: { access: wallet, client: "broker.leaderboard" },
      ...asBroker(callers),
      schema: {
        tags,
        summary: "Brokers by net rebate",
        querystring: BrokerLeaderboardQuery,
        response: { 200: BrokerLeaderboard },
      },
    },
    ({ query }) => readLeaderboard(db, query),
  );

  app.get(
    `${BASE}/rebate-trend`,
    {
      config: { access: wallet, client: "broker.rebateTrend" },
      ...asBroker(callers),
      schema: { tags, summary: "A broker's last 30 days", response: { 200: RebateTrend } },
    },
    (request) => readTrend(db, callers.of(request).id, rangeUpTo(today(), TREND_DAYS)),
  );
}

function registerDownlines(app: App, { callers, downlines }: Context): void {
  app.get(
    `${BASE}/downlines`,
    {
      config: { access: wallet, client: "broker.downlines" },
      ...asBroker(callers),
      schema: {
        tags,
        summary: "Downlines of a broker",
        description: "Totals of a sub-KOL are those of its own trades, whose records are its parent's.",
        querystring: DownlineQuery,
        response: { 200: DownlineList },
      },
    },
    async (request, reply) => {
      const text = await downlines.ofBroker(callers.of(request).id, request.query.type);
      return reply.type(JSON_TYPE).send(text as never);
    },
  );

  app.get(
    `${BASE}/bd/downlines`,
    {
      config: { access: bd, client: "bd.downlines" },
      schema: {
        tags,
        summary: "KOLs that were bound by a BD's codes",
        description: "Totals are those of all records of the KOL.",
        response: { 200: DownlineList },
      },
    },
    async (request, reply) => reply.type(JSON_TYPE).send((await downlines.ofBd(actorOf(request).actor)) as never),
  );
}

function registerRecords(app: App, { db, callers, today }: Context): void {
  app.get(
    `${BASE}/rebate-records`,
    {
      config: { access: wallet, client: "broker.rebateRecords" },
      ...asBroker(callers),
      schema: {
        tags,
        summary: "Rebate records of a broker",
        querystring: PeriodQuery,
        response: { 200: RebateRecordList },
      },
    },
    (request) => {
      const { id } = callers.of(request);
      return readBrokerRecords(db, id, periodOf(request.query));
    },
  );

  app.get(
    `${BASE}/share-income`,
    {
      config: { access: wallet, client: "broker.shareIncome" },
      ...asBroker(callers),
      schema: {
        tags,
        summary: "A parent's shares of its sub-KOLs' records",
        querystring: PeriodQuery,
        response: { 200: ShareIncomeList },
      },
    },
    (request) => readShareIncome(db, callers.of(request).id, periodOf(request.query)),
  );

  app.get(
    `${BASE}/rebate-records/export`,
    {
      config: { access: wallet, client: "broker.exportRebateRecords" },
      ...asBroker(callers),
      schema: {
        tags,
        summary: "A broker's records as CSV",
        description: "By day and id, the oldest first.",
        querystring: DayRangeQuery,
        response: { 200: { content: { "text/csv": { schema: Type.String({ description: "With a header row" }) } } } },
      },
    },
    async (request, reply) => {
      const range = readRange(request.query, today());
      const csv = await exportRecords(db, callers.of(request).id, range);
      const file = `rebate-records-${range.from}-${range.to}.csv`;
      reply.header("content-disposition", `attachment; filename="${file}"`);
      return reply.type("text/csv; charset=utf-8").send(csv as never);
    },
  );
}

/** Open to every wallet: whoever trades or owns a code may read what it brought. */
function registerOpenRecords(app: App, { db }: Context): void {
  app.get(
    `${BASE}/my-rebate`,
    {
      config: { access: wallet, client: "broker.myRebate" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Rebate records of own trades",
        querystring: PeriodQuery,
        response: { 200: RebateRecordList },
      },
    },
    (request) => readOwnRecords(db, walletOf(request), periodOf(request.query)),
  );

  app.get(
    `${BASE}/affiliate-records`,
    {
      config: { access: wallet, client: "broker.affiliateRecords" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Records of an affiliate",
        querystring: PeriodQuery,
        response: { 200: AffiliateRecordList },
      },
    },
    (request) => readAffiliateRecords(db, walletOf(request), periodOf(request.query)),
  );
}

function registerAnalyses(app: App, { db, callers, today }: Context): void {
  app.get(
    `${BASE}/performance`,
    {
      config: { access: wallet, client: "broker.performance" },
      ...asBroker(callers),
      schema: {
        tags,
        summary: "Sign-ups, traders and earnings by day",
        querystring: DayRangeQuery,
        response: { 200: BrokerPerformance },
      },
    },
    (request) => readPerformance(db, callers.of(request), readRange(request.query, today())),
  );

  app.get(
    `${BASE}/what-if`,
    {
      config: { access: wallet, client: "broker.whatIf" },
      ...asBroker(callers),
      schema: {
        tags,
        summary: "Recompute past fees with another customer ratio",
        description: "Uses the real fees of own customers and the rates at trade time.",
        querystring: WhatIfQuery,
        response: { 200: WhatIf },
      },
    },
    (request) => readWhatIf(db, callers.of(request), request.query, today()),
  );
}
