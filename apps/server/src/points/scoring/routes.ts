import {
  EarnLevelConfig,
  PointsLevels,
  PointsLevelsRequest,
  PointsMakers,
  PointsMakersRequest,
  PointsRule,
  PointsRules,
  PointsRulesRequest,
} from "@bourse/api";
import { admin, anyone } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { actorOf, schemaRefusal } from "../callers.ts";
import type { LevelAdmin } from "./level-admin.ts";
import type { Makers } from "./makers.ts";
import type { Rules } from "./rules.ts";

const tags = ["Points: administration"];
const BASE = "/api/v1/points";
const schemaErrorFormatter = schemaRefusal;

export interface ScoringRoutesOptions {
  readonly levels: LevelAdmin;
  readonly rules: Rules;
  readonly makers: Makers;
}

/** Interface 4.5, PTS-6: how points are reckoned and weighed. */
export function registerScoringRoutes(app: App, { levels, rules, makers }: ScoringRoutesOptions): void {
  registerLevelRoutes(app, levels);
  registerRuleRoutes(app, rules);
  registerMakerRoutes(app, makers);
}

function registerLevelRoutes(app: App, levels: LevelAdmin): void {
  app.get(
    `${BASE}/earn-level-config`,
    {
      config: { access: anyone, client: "points.levels" },
      schema: {
        tags: ["Points"],
        summary: "The levels and their weights",
        description: "By level. A wallet's level is that of its season points, rounded down to whole points.",
        response: { 200: EarnLevelConfig },
      },
    },
    async () => (await levels.levels()).map((level) => ({ ...level })),
  );

  const url = `${BASE}/admin/levels`;
  const response = { 200: PointsLevels };
  app.get(
    url,
    { config: { access: admin, client: "pointsAdmin.levels" }, schema: { tags, summary: "The levels", response } },
    () => levels.shown(),
  );

  app.put(
    url,
    {
      config: { access: admin, client: "pointsAdmin.setLevels" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Set the levels",
        description: "All six at once, without gaps. Seasons whose snapshot was taken do not change.",
        body: PointsLevelsRequest,
        response,
      },
    },
    (request) => levels.set(request.body, actorOf(request)),
  );
}

function registerRuleRoutes(app: App, rules: Rules): void {
  const url = `${BASE}/admin/rules`;
  app.get(
    url,
    {
      config: { access: admin, client: "pointsAdmin.rules" },
      schema: { tags, summary: "The current points rule and earlier versions", response: { 200: PointsRules } },
    },
    () => rules.all(),
  );

  app.put(
    url,
    {
      config: { access: admin, client: "pointsAdmin.setRules" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Add a version of the points rule",
        description:
          "A new version. The boosts are given as a whole; of the rest, what is not given stays as it is. Points that were " +
          "scored stay, and each line names the version it was scored by.",
        body: PointsRulesRequest,
        response: { 200: PointsRule },
      },
    },
    (request) => rules.change(request.body, actorOf(request)),
  );
}

function registerMakerRoutes(app: App, makers: Makers): void {
  const url = `${BASE}/admin/makers`;
  const response = { 200: PointsMakers };
  app.get(
    url,
    {
      config: { access: admin, client: "pointsAdmin.makers" },
      schema: { tags, summary: "The listed market makers", response },
    },
    () => makers.read(),
  );

  app.put(
    url,
    {
      config: { access: admin, client: "pointsAdmin.setMakers" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Replace the list of market makers",
        description:
          "They score no points, and share the market makers' pool of a season by what their resting orders traded while " +
          "they were listed. Points scored before stay.",
        body: PointsMakersRequest,
        response,
      },
    },
    (request) => makers.replace(request.body, actorOf(request)),
  );
}
