import {
  AdminKolList,
  BdDashboard,
  BindReply,
  BindRequest,
  InviteCode,
  InviteCodeChangeRequest,
  InviteCodeList,
  InviteCodePath,
  InviteCodeQuery,
  NewBdCodeRequest,
  NewInviteCodeRequest,
  ReferralInfo,
} from "@bourse/api";
import { bd, wallet, walletOrBd } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { actorOf, schemaRefusal, walletOf } from "../callers.ts";
import type { Binding } from "./binding.ts";
import type { Dashboards } from "./dashboards.ts";
import type { InviteCodes } from "./invite-codes.ts";
import type { KolAdmin } from "./kol-admin.ts";

const BASE = "/api/v1/broker";
const schemaErrorFormatter = schemaRefusal;

export interface PartnerRoutesOptions {
  readonly binding: Binding;
  readonly codes: InviteCodes;
  readonly kols: KolAdmin;
  readonly dashboards: Dashboards;
}

/** BRK-1, interface 4.2 and BRK-3: the routes about binding, invite codes and a BD's KOLs. */
export function registerPartnerRoutes(app: App, options: PartnerRoutesOptions): void {
  registerCodeRoutes(app, options);
  registerBdAreaRoutes(app, options);
}

function registerCodeRoutes(app: App, { binding, codes }: PartnerRoutesOptions): void {
  const tags = ["Broker"];

  app.post(
    `${BASE}/bind`,
    {
      config: { access: wallet, client: "broker.bind(code)" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Bind to an invite code",
        description:
          "Once for each wallet, for ever: until 14 days after its first sign-in, or as long as it has not traded. " +
          "404 `code not found`, 410 `code expired`, 409 `already bound`, 400 `self referral`.",
        body: BindRequest,
        response: { 200: BindReply },
      },
    },
    (request) => binding.bind(walletOf(request), request.body.code),
  );

  app.post(
    `${BASE}/invite-code`,
    {
      config: { access: wallet, client: "broker.createInviteCode" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Create an invite code",
        description:
          "`direct` codes make customers and never expire; a `sub_kol` code makes one sub-KOL within 7 days. " +
          "404 `not a broker` comes before anything that is wrong with the body.",
        body: NewInviteCodeRequest,
        response: { 200: InviteCode },
      },
    },
    (request) => codes.create(walletOf(request), request.body),
  );

  app.get(
    `${BASE}/invite-codes`,
    {
      config: { access: wallet, client: "broker.inviteCodes" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Own invite codes, newest first",
        querystring: InviteCodeQuery,
        response: { 200: InviteCodeList },
      },
    },
    (request) => codes.list(walletOf(request), request.query.code_type),
  );

  app.put(
    `${BASE}/invite-code/:id`,
    {
      config: { access: walletOrBd, client: "broker.changeInviteCode" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Disable or enable an own invite code",
        description: "A used or expired code cannot be changed (409). BDs change their own codes here as well.",
        params: InviteCodePath,
        body: InviteCodeChangeRequest,
        response: { 200: InviteCode },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const isBd = principal?.kind === "staff";
      const owner = isBd ? { bd_id: principal.id } : await codes.ownerOf(walletOf(request));
      return await codes.change(owner, params.id, body, isBd ? actorOf(request) : undefined);
    },
  );

  app.get(
    `${BASE}/referral-info`,
    {
      config: { access: wallet, client: "broker.referralInfo" },
      schema: { tags, summary: "The newest active code and all own codes", response: { 200: ReferralInfo } },
    },
    (request) => codes.referralInfo(walletOf(request)),
  );
}

function registerBdAreaRoutes(app: App, { codes, kols, dashboards }: PartnerRoutesOptions): void {
  const tags = ["Broker: for BDs"];

  app.post(
    `${BASE}/bd/invite-code`,
    {
      config: { access: bd, client: "bd.createInviteCode" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Create a code for a new KOL",
        description: "It makes one KOL of that level, owned by the BD, within 7 days.",
        body: NewBdCodeRequest,
        response: { 200: InviteCode },
      },
    },
    (request) => {
      const actor = actorOf(request);
      return codes.createForBd(actor.actor, request.body, actor);
    },
  );

  app.get(
    `${BASE}/bd/invite-codes`,
    {
      config: { access: bd, client: "bd.inviteCodes" },
      schema: { tags, summary: "Own codes, newest first", response: { 200: InviteCodeList } },
    },
    (request) => codes.listForBd(actorOf(request).actor),
  );

  app.get(
    `${BASE}/bd/kols`,
    {
      config: { access: bd, client: "bd.kols" },
      schema: { tags, summary: "Own KOLs and their sub-KOLs, newest first", response: { 200: AdminKolList } },
    },
    (request) => kols.list(actorOf(request).actor),
  );

  app.get(
    `${BASE}/bd/dashboard`,
    {
      config: { access: bd, client: "bd.dashboard" },
      schema: { tags, summary: "Totals of own KOLs", response: { 200: BdDashboard } },
    },
    (request) => dashboards.bd(actorOf(request).actor),
  );
}
