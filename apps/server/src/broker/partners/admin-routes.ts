import {
  AdminDashboard,
  AdminKol,
  AdminKolList,
  AdminKolQuery,
  BdAccount,
  BdAccountList,
  BdChangeReply,
  BdChangeRequest,
  BrokerIdPath,
  BulkReassignReply,
  BulkReassignRequest,
  KolChangeReply,
  KolChangeRequest,
  KolTierReply,
  KolTierRequest,
  NewBdRequest,
  NewKolRequest,
  ReassignReply,
  ReassignRequest,
  TierThresholds,
  TierThresholdsRequest,
} from "@bourse/api";
import { admin } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { actorOf, schemaRefusal } from "../callers.ts";
import type { BdAdmin } from "./bd-admin.ts";
import type { Dashboards } from "./dashboards.ts";
import type { KolAdmin } from "./kol-admin.ts";
import type { Ownership } from "./ownership.ts";
import type { Tiers } from "./tiers.ts";

const tags = ["Broker: administration"];
const BASE = "/api/v1/broker/admin";
const schemaErrorFormatter = schemaRefusal;

export interface AdminRoutesOptions {
  readonly bdAdmin: BdAdmin;
  readonly kols: KolAdmin;
  readonly ownership: Ownership;
  readonly tiers: Tiers;
  readonly dashboards: Dashboards;
}

/** Interface 4.1 and BRK-3: the routes about BDs, KOLs and tiers. */
export function registerPartnerAdminRoutes(app: App, options: AdminRoutesOptions): void {
  registerBdRoutes(app, options);
  registerKolRoutes(app, options);
  registerTierRoutes(app, options.tiers);

  app.get(
    `${BASE}/dashboard`,
    {
      config: { access: admin, client: "brokerAdmin.dashboard" },
      schema: {
        tags,
        summary: "Totals of the broker program",
        description: "Sums of all settled days, today's provisional figures included.",
        response: { 200: AdminDashboard },
      },
    },
    () => options.dashboards.admin(),
  );
}

function registerBdRoutes(app: App, { bdAdmin, ownership }: AdminRoutesOptions): void {
  app.post(
    `${BASE}/bd`,
    {
      config: { access: admin, client: "brokerAdmin.createBd" },
      schemaErrorFormatter,
      schema: { tags, summary: "Create a BD", body: NewBdRequest, response: { 200: BdAccount } },
    },
    (request) => bdAdmin.create(request.body, actorOf(request)),
  );

  app.get(
    `${BASE}/bds`,
    {
      config: { access: admin, client: "brokerAdmin.bds" },
      schema: { tags, summary: "All BDs, newest first", response: { 200: BdAccountList } },
    },
    () => bdAdmin.list(),
  );

  app.put(
    `${BASE}/bd/:id`,
    {
      config: { access: admin, client: "brokerAdmin.changeBd" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Rename, disable or enable a BD",
        description: "Disabling ends all sessions of the BD at once; its KOLs keep working.",
        params: BrokerIdPath,
        body: BdChangeRequest,
        response: { 200: BdChangeReply },
      },
    },
    (request) => bdAdmin.change(request.params.id, request.body, actorOf(request)),
  );

  app.post(
    `${BASE}/bd/:id/bulk-reassign`,
    {
      config: { access: admin, client: "brokerAdmin.reassignKols" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Move all KOLs of a BD to another, or to the company",
        params: BrokerIdPath,
        body: BulkReassignRequest,
        response: { 200: BulkReassignReply },
      },
    },
    (request) => ownership.reassignAll(request.params.id, request.body, actorOf(request)),
  );
}

function registerKolRoutes(app: App, { kols, ownership }: AdminRoutesOptions): void {
  app.get(
    `${BASE}/kols`,
    {
      config: { access: admin, client: "brokerAdmin.kols" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "KOLs and sub-KOLs, newest first",
        querystring: AdminKolQuery,
        response: { 200: AdminKolList },
      },
    },
    ({ query }) => kols.list(query.bd_id),
  );

  app.post(
    `${BASE}/kol`,
    {
      config: { access: admin, client: "brokerAdmin.createKol" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Make a wallet a KOL",
        description: "At its level's rate. A wallet that is bound or is a broker is refused (409).",
        body: NewKolRequest,
        response: { 200: AdminKol },
      },
    },
    (request) => kols.create(request.body, actorOf(request)),
  );

  app.put(
    `${BASE}/kol/:id`,
    {
      config: { access: admin, client: "brokerAdmin.changeKol" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Adjust a KOL",
        description: "Only the given fields change. Fills after the reply are settled at the new terms.",
        params: BrokerIdPath,
        body: KolChangeRequest,
        response: { 200: KolChangeReply },
      },
    },
    (request) => kols.change(request.params.id, request.body, actorOf(request)),
  );

  app.put(
    `${BASE}/kol/:id/tier`,
    {
      config: { access: admin, client: "brokerAdmin.setKolTier" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Set a KOL's tier and give it the tier's rate",
        params: BrokerIdPath,
        body: KolTierRequest,
        response: { 200: KolTierReply },
      },
    },
    (request) => kols.setTier(request.params.id, request.body, actorOf(request)),
  );

  app.put(
    `${BASE}/kol/:id/reassign`,
    {
      config: { access: admin, client: "brokerAdmin.reassignKol" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Reassign a KOL to another BD or to the company",
        description: "Its sub-KOLs move with it.",
        params: BrokerIdPath,
        body: ReassignRequest,
        response: { 200: ReassignReply },
      },
    },
    (request) => ownership.reassign(request.params.id, request.body, actorOf(request)),
  );
}

function registerTierRoutes(app: App, tiers: Tiers): void {
  const url = `${BASE}/config/tier-thresholds`;
  const response = { 200: TierThresholds };

  app.get(
    url,
    {
      config: { access: admin, client: "brokerAdmin.tierThresholds" },
      schema: { tags, summary: "The tier thresholds", response },
    },
    () => tiers.read(),
  );

  app.put(
    url,
    {
      config: { access: admin, client: "brokerAdmin.setTierThresholds" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Set the tier thresholds",
        description: "Rates of KOLs that exist do not change.",
        body: TierThresholdsRequest,
        response,
      },
    },
    (request) => tiers.set(request.body, actorOf(request)),
  );

  app.delete(
    url,
    {
      config: { access: admin, client: "brokerAdmin.unsetTierThresholds" },
      schema: {
        tags,
        summary: "Unset the tier thresholds",
        description: "Setting a KOL's tier is then refused (500) until they are set again.",
        response,
      },
    },
    (request) => tiers.unset(actorOf(request)),
  );
}
