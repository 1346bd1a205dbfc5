import {
  AdminPointsSeason,
  PointsSeason,
  SeasonAllocation,
  SeasonAllocationPath,
  SeasonChangeRequest,
  SeasonPath,
  SeasonRequest,
} from "@bourse/api";
import { Type } from "typebox";
import { admin, anyone } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { actorOf, schemaRefusal } from "../callers.ts";
import type { PointsDb } from "../tables.ts";
import type { AllocationProofs } from "./allocation-proofs.ts";
import { readAddress, readSeasonId } from "./inputs.ts";
import type { SeasonAdmin } from "./season-admin.ts";
import { listSeasons } from "./season-store.ts";
import { seasonView } from "./views.ts";

const tags = ["Points"];
const adminTags = ["Points: administration"];
const BASE = "/api/v1/points";
const ADMIN_PATH = `${BASE}/admin/seasons`;

export interface SeasonRoutesOptions {
  readonly db: PointsDb;
  readonly proofs: AllocationProofs;
  readonly admin: SeasonAdmin;
}

/** Interface 4.5, PTS-6. */
export function registerSeasonRoutes(app: App, options: SeasonRoutesOptions): void {
  registerPublicRoutes(app, options);
  registerAdminRoutes(app, options);
}

function registerPublicRoutes(app: App, { db, proofs }: SeasonRoutesOptions): void {
  app.get(
    `${BASE}/seasons`,
    {
      config: { access: anyone, client: "points.seasons" },
      schemaErrorFormatter: schemaRefusal,
      schema: { tags, summary: "All seasons, by their numbers", response: { 200: Type.Array(PointsSeason) } },
    },
    async () => (await listSeasons(db)).map(seasonView),
  );

  app.get(
    `${BASE}/seasons/:id/allocation/:address`,
    {
      config: { access: anyone, client: "points.allocation" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "A wallet's allocation of a season with its proof",
        description:
          "From the snapshot on (409 SEASON_NOT_SNAPSHOTTED before). A leaf is SHA-256 of a zero byte and `leaf_text`, a node " +
          "SHA-256 of a one byte, the left and the right one; `scripts/verify-allocation.mjs` checks it without this server.",
        params: SeasonAllocationPath,
        response: { 200: SeasonAllocation },
      },
    },
    ({ params }) => proofs.proof(readSeasonId(params.id), readAddress(params.address)),
  );
}

function registerAdminRoutes(app: App, { admin: seasons }: SeasonRoutesOptions): void {
  app.get(
    ADMIN_PATH,
    {
      config: { access: admin, client: "pointsAdmin.seasons" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags: adminTags,
        summary: "All seasons with the fields for admins",
        response: { 200: Type.Array(AdminPointsSeason) },
      },
    },
    () => seasons.list(),
  );

  app.post(
    ADMIN_PATH,
    {
      config: { access: admin, client: "pointsAdmin.createSeason" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags: adminTags,
        summary: "Create a season",
        description:
          "Its epochs belong to no other season (409 SEASON_OVERLAPS) and the last one is not over. Where it has begun already, " +
          "it starts with what was scored in its epochs.",
        body: SeasonRequest,
        response: { 200: AdminPointsSeason },
      },
    },
    (request) => seasons.create(request.body, actorOf(request)),
  );

  app.put(
    `${ADMIN_PATH}/:id`,
    {
      config: { access: admin, client: "pointsAdmin.changeSeason" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags: adminTags,
        summary: "Change a season",
        description:
          "What is not named stays as it is. While pending everything can be changed; while active label, end_epoch, pools and " +
          "distribution_at; in the snapshot label and distribution_at; later the label. The distribution moves along with the " +
          "end unless it is named as well.",
        params: SeasonPath,
        body: SeasonChangeRequest,
        response: { 200: AdminPointsSeason },
      },
    },
    (request) => seasons.change(readSeasonId(request.params.id), request.body, actorOf(request)),
  );

  app.post(
    `${ADMIN_PATH}/:id/complete`,
    {
      config: { access: admin, client: "pointsAdmin.completeSeason" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags: adminTags,
        summary: "Complete a season",
        description:
          "A season that is distributing is completed; by itself that happens 90 days after distribution_at.",
        params: SeasonPath,
        response: { 200: AdminPointsSeason },
      },
    },
    (request) => seasons.complete(readSeasonId(request.params.id), actorOf(request)),
  );
}
