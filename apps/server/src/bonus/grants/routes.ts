import {
  BonusBatch,
  BonusBatchList,
  BonusBatchPath,
  BonusCampaign,
  BonusListQuery,
  CampaignRequest,
  EndCodesRequest,
  ExpireCodesReply,
  GenerateCodesReply,
  GenerateCodesRequest,
  GrantBatchQuery,
  GrantBatchReply,
  GrantBatchRequest,
  GrantForecast,
  PoolLedger,
  RedeemReply,
  RedeemRequest,
  VoidCodesReply,
} from "@bourse/api";
import { Type } from "typebox";
import { bonusAdmin, wallet } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { actorOf, walletOf } from "../callers.ts";
import type { BonusCodes } from "./bonus-codes.ts";
import type { Campaigns } from "./campaigns.ts";
import type { GrantBatches } from "./grant-batches.ts";
import { grantsRefusal, readBatchId } from "./inputs.ts";
import type { GrantLists } from "./lists.ts";
import type { Redemptions } from "./redemptions.ts";

const ADMIN_PATH = "/api/v1/bonus/admin";
const tags = ["Bonus: grants"];
const schemaErrorFormatter = grantsRefusal;

export interface GrantRoutesOptions {
  readonly batches: GrantBatches;
  readonly codes: BonusCodes;
  readonly campaigns: Campaigns;
  readonly redemptions: Redemptions;
  readonly lists: GrantLists;
}

/** BON-1 to BON-5, BON-13, interface 4.6. */
export function registerGrantRoutes(app: App, options: GrantRoutesOptions): void {
  registerGrants(app, options);
  registerCodes(app, options);
  registerLists(app, options);
  registerCampaign(app, options);
  registerRedemption(app, options);
}

function registerGrants(app: App, { batches }: GrantRoutesOptions): void {
  app.post(
    `${ADMIN_PATH}/grant-batch`,
    {
      config: { access: bonusAdmin, client: "bonusAdmin.grant" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Grant a bonus to up to 500 wallets",
        description:
          "Every recipient that does not fail is active when the answer comes. A batch that the pool does not reach for is " +
          "refused as a whole: 409 pool_cap_exceeded, and its request_id stays free. Repeated with the same request_id it " +
          "grants nothing and answers as before; with another body: 409 request_id_conflict. 503 not_ready: it is " +
          "decided and on its way; repeat it. With `dry_run=true` it only tells what would happen.",
        querystring: GrantBatchQuery,
        body: GrantBatchRequest,
        response: { 200: Type.Union([GrantBatchReply, GrantForecast]) },
      },
    },
    (request) =>
      request.query.dry_run === true ? batches.forecast(request.body) : batches.grant(request.body, actorOf(request)),
  );
}

function registerCodes(app: App, { codes }: GrantRoutesOptions): void {
  app.post(
    `${ADMIN_PATH}/generate-codes`,
    {
      config: { access: bonusAdmin, client: "bonusAdmin.generateCodes" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Generate up to 5000 codes of a batch",
        description:
          "Leverage and tier of a redeemed code are its batch's, the amount is its own. All of them together must fit the " +
          "pool now, and each again when it is redeemed. Codes are kept hashed; the same request_id tells them again.",
        body: GenerateCodesRequest,
        response: { 200: GenerateCodesReply },
      },
    },
    (request) => codes.generate(request.body, actorOf(request)),
  );

  app.post(
    `${ADMIN_PATH}/expire-codes`,
    {
      config: { access: bonusAdmin, client: "bonusAdmin.expireCodes" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Expire a batch's unused codes now",
        body: EndCodesRequest,
        response: { 200: ExpireCodesReply },
      },
    },
    async (request) => {
      const { ended: expired, ...reply } = await codes.end("expire-codes", request.body, actorOf(request));
      return { ...reply, expired };
    },
  );

  app.post(
    `${ADMIN_PATH}/void-codes`,
    {
      config: { access: bonusAdmin, client: "bonusAdmin.voidCodes" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Void a batch's unused codes",
        body: EndCodesRequest,
        response: { 200: VoidCodesReply },
      },
    },
    async (request) => {
      const { ended: voided, ...reply } = await codes.end("void-codes", request.body, actorOf(request));
      return { ...reply, voided };
    },
  );
}

function registerLists(app: App, { lists }: GrantRoutesOptions): void {
  app.get(
    `${ADMIN_PATH}/batches`,
    {
      config: { access: bonusAdmin, client: "bonusAdmin.batches" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Grant batches, newest first",
        querystring: BonusListQuery,
        response: { 200: BonusBatchList },
      },
    },
    ({ query }) => lists.batches(query),
  );

  app.get(
    `${ADMIN_PATH}/batches/:id`,
    {
      config: { access: bonusAdmin, client: "bonusAdmin.batch" },
      schemaErrorFormatter,
      schema: { tags, summary: "One grant batch", params: BonusBatchPath, response: { 200: BonusBatch } },
    },
    ({ params }) => lists.batch(readBatchId("id", params.id)),
  );

  app.get(
    `${ADMIN_PATH}/pool-ledger`,
    {
      config: { access: bonusAdmin, client: "bonusAdmin.poolLedger" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Ledger of the bonus pool, newest first",
        querystring: BonusListQuery,
        response: { 200: PoolLedger },
      },
    },
    ({ query }) => lists.poolLedger(query),
  );
}

function registerCampaign(app: App, { campaigns }: GrantRoutesOptions): void {
  app.get(
    `${ADMIN_PATH}/campaign`,
    {
      config: { access: bonusAdmin, client: "bonusAdmin.campaign" },
      schema: { tags, summary: "The running campaign", response: { 200: BonusCampaign } },
    },
    () => campaigns.read(),
  );

  app.put(
    `${ADMIN_PATH}/campaign`,
    {
      config: { access: bonusAdmin, client: "bonusAdmin.changeCampaign" },
      schemaErrorFormatter,
      schema: {
        tags,
        summary: "Change the running campaign, or begin another one",
        description:
          "What is not named stays as it is. Bonuses that were granted keep what they were granted with. With `new` the " +
          "earlier campaign is over: its codes cannot be redeemed any more, and every wallet may have one bonus again.",
        body: CampaignRequest,
        response: { 200: BonusCampaign },
      },
    },
    (request) => campaigns.change(request.body, actorOf(request)),
  );
}

function registerRedemption(app: App, { redemptions }: GrantRoutesOptions): void {
  app.post(
    "/api/v1/bonus/redeem",
    {
      config: { access: wallet, client: "bonus.redeem(code)" },
      schemaErrorFormatter,
      schema: {
        tags: ["Bonus"],
        summary: "Redeem a bonus code",
        description:
          "The bonus is in the futures account when the answer comes. 409 already_has_bonus; 400 code_not_redeemable for " +
          "whatever is wrong with a code. Five wrong codes an hour: 429. 503 not_ready: it is redeemed and on its way; see " +
          "GET /api/v1/bonus/me.",
        body: RedeemRequest,
        response: { 200: RedeemReply },
      },
    },
    (request) => redemptions.redeem({ wallet: walletOf(request), address: request.address }, request.body.code),
  );
}
