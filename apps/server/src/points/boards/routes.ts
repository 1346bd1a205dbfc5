import { DailyBoard, EpochBoard, OwnPoints, PointsBoardQuery, PointsLedger, PointsLedgerQuery } from "@bourse/api";
import { anyone, wallet } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { schemaRefusal, walletOf } from "../callers.ts";
import type { OwnLedger } from "./ledger.ts";
import type { PointsLists } from "./lists.ts";
import type { OwnPointsReader } from "./own-points.ts";

const tags = ["Points"];
const BASE = "/api/v1/points";

export interface BoardRoutesOptions {
  readonly lists: PointsLists;
  readonly own: OwnPointsReader;
  readonly ledger: OwnLedger;
}

/** Interface 4.5, PTS-4, PTS-6. */
export function registerBoardRoutes(app: App, { lists, own, ledger }: BoardRoutesOptions): void {
  app.get(
    `${BASE}/leaderboard/daily`,
    {
      config: { access: anyone, client: "points.dailyBoard" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Leaderboard of the day since 00:00 UTC",
        description:
          "Refreshed every 5 minutes. Of equal points the earlier last scoring time stands higher, then the lower address. Of an " +
          "epoch that is over: its last day. One that has not begun: 404 EPOCH_NOT_FOUND.",
        querystring: PointsBoardQuery,
        response: { 200: DailyBoard },
      },
    },
    ({ query }) => lists.daily(query),
  );

  app.get(
    `${BASE}/leaderboard/epoch`,
    {
      config: { access: anyone, client: "points.epochBoard" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Leaderboard of an epoch",
        description: "Refreshed together with the daily leaderboard, with the same order.",
        querystring: PointsBoardQuery,
        response: { 200: EpochBoard },
      },
    },
    ({ query }) => lists.epoch(query),
  );

  app.get(
    `${BASE}/me`,
    {
      config: { access: wallet, client: "points.mine" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "The wallet's points, ranks and projected tokens",
        description: "Points are current; ranks and projected tokens are from the last refresh.",
        response: { 200: OwnPoints },
      },
    },
    (request) => own.read(walletOf(request)),
  );

  app.get(
    `${BASE}/me/ledger`,
    {
      config: { access: wallet, client: "points.ledger" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Every line of the wallet's points",
        description: "By time, each with its source and rule version.",
        querystring: PointsLedgerQuery,
        response: { 200: PointsLedger },
      },
    },
    (request) => ledger.read(walletOf(request), request.query),
  );
}
