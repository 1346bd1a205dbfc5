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
      schemaErrorFormatter: schemaRefusal,
      schema: { tags, summary: "All seasons, by their numbers", response: { 200: Type.Array(PointsSeason) } },
    },
    async () => (await listSeasons(db)).map(seasonView),
  );

  app.get(
    `${BASE}/seasons/:id/allocation/:address`,
    {
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "What a wallet gets of a season, and the proof of it",
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

function registerAdminRoutes(app: App, { admin }: SeasonRoutesOptions): void {
  app.get(
    ADMIN_PATH,
    {
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags: adminTags,
        summary: "All seasons with what only admins need",
        response: { 200: Type.Array(AdminPointsSeason) },
      },
    },
    () => admin.list(),
  );

  app.post(
    ADMIN_PATH,
    {
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
    (request) => admin.create(request.body, actorOf(request)),
  );

  app.put(
    `${ADMIN_PATH}/:id`,
    {
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
    (request) => admin.change(readSeasonId(request.params.id), request.body, actorOf(request)),
  );

  app.post(
    `${ADMIN_PATH}/:id/complete`,
    {
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags: adminTags,
        summary: "Say that everything of a season is claimable",
        description:
          "A season that is distributing is completed; by itself that happens 90 days after distribution_at.",
        params: SeasonPath,
        response: { 200: AdminPointsSeason },
      },
    },
    (request) => admin.complete(readSeasonId(request.params.id), actorOf(request)),
  );
}
