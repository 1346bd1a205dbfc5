import { DailyBoard, EpochBoard, OwnPoints, PointsBoardQuery, PointsLedger, PointsLedgerQuery } from "@bourse/api";
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
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Who has scored most since 00:00 UTC",
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
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Who has scored most in an epoch",
        description: "Refreshed together with the daily list, in the same order.",
        querystring: PointsBoardQuery,
        response: { 200: EpochBoard },
      },
    },
    ({ query }) => lists.epoch(query),
  );

  app.get(
    `${BASE}/me`,
    {
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Where the wallet stands",
        description: "Points are those of now; ranks and projected tokens are those of the last refresh.",
        response: { 200: OwnPoints },
      },
    },
    (request) => own.read(walletOf(request)),
  );

  app.get(
    `${BASE}/me/ledger`,
    {
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Every line of the wallet's points",
        description: "By time; each with what it comes from and the version of the rule by which it was reckoned.",
        querystring: PointsLedgerQuery,
        response: { 200: PointsLedger },
      },
    },
    (request) => ledger.read(walletOf(request), request.query),
  );
}
