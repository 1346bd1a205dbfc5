import {
  MyPayout,
  MyPayoutsQuery,
  PayoutBatch,
  PayoutBatchDetail,
  PayoutBatchList,
  PayoutBatchListQuery,
  PayoutBatchPath,
  PayoutBatchQuery,
  PayoutBatchRequest,
  PayoutConfirmRequest,
  PayoutList,
  PayoutListQuery,
} from "@bourse/api";
import { Type } from "typebox";
import { admin, wallet } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { actorOf, schemaRefusal, walletOf } from "../callers.ts";
import { readUuid } from "../inputs.ts";
import type { PayoutBatches } from "./batches.ts";
import type { PayoutConfirmations } from "./confirmations.ts";
import { readTxHash } from "./inputs.ts";
import type { PayoutPayments } from "./payments.ts";
import type { PayoutLists } from "./payout-list.ts";
import { BATCHES_PATH } from "./views.ts";

const tags = ["Broker: payouts"];
const BATCH_PATH = `${BATCHES_PATH}/:id`;
const one = { params: PayoutBatchPath, response: { 200: PayoutBatch } };

export interface PayoutRoutesOptions {
  readonly batches: PayoutBatches;
  readonly payments: Pick<PayoutPayments, "pay">;
  readonly confirmations: PayoutConfirmations;
  readonly lists: PayoutLists;
}

/** BRK-14, WIRE-3, interface 4.1. */
export function registerPayoutRoutes(app: App, options: PayoutRoutesOptions): void {
  registerBatchReads(app, options);
  registerBatchWrites(app, options);
  registerLists(app, options);
}

function registerBatchReads(app: App, { batches }: PayoutRoutesOptions): void {
  app.get(
    BATCHES_PATH,
    {
      config: { access: admin, client: "brokerAdmin.payoutBatches" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Payout batches, newest first",
        querystring: PayoutBatchListQuery,
        response: { 200: PayoutBatchList },
      },
    },
    ({ query }) => batches.list(query),
  );

  app.get(
    BATCH_PATH,
    {
      config: { access: admin, client: "brokerAdmin.payoutBatch" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "One payout batch and a page of its payees",
        params: PayoutBatchPath,
        querystring: PayoutBatchQuery,
        response: { 200: PayoutBatchDetail },
      },
    },
    ({ params, query }) => batches.detail(readUuid("id", params.id), query),
  );

  app.get(
    `${BATCH_PATH}/csv`,
    {
      config: { access: admin, client: "brokerAdmin.payoutBatchCsv" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Payees of a batch as CSV",
        description:
          "Columns payee, amount (six decimals), lines; rows in the order of addresses, lines end with LF. `sha256` of the " +
          "batch is the digest of exactly these bytes.",
        params: PayoutBatchPath,
        response: { 200: { description: "CSV", content: { "text/csv": { schema: Type.String() } } } },
      },
    },
    async ({ params }, reply) => {
      const id = readUuid("id", params.id);
      const bytes = await batches.csv(id);
      reply.header("content-disposition", `attachment; filename="payout-${id}.csv"`);
      return reply.type("text/csv; charset=utf-8").send(bytes as never);
    },
  );
}

function registerBatchWrites(app: App, { batches, payments, confirmations }: PayoutRoutesOptions): void {
  app.post(
    BATCHES_PATH,
    {
      config: { access: admin, client: "brokerAdmin.createPayoutBatch" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Create a payout batch from pending lines",
        description:
          "Sums the pending lines of closed days per payee. Frozen brokers, and payees who are owed nothing in sum or less " +
          "than `min_amount`, are left for a later batch; a batch has at most 20,000 payees. Nothing to pay: 409 " +
          "NOTHING_TO_PAY. A day that is not closed: 409 INVALID_STATE.",
        body: PayoutBatchRequest,
        response: { 200: PayoutBatch },
      },
    },
    (request) => batches.create(request.body, actorOf(request)),
  );

  app.post(
    `${BATCH_PATH}/pay`,
    {
      config: { access: admin, client: "brokerAdmin.payPayoutBatch" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Pay a batch from the fee account through the chain",
        description:
          "Takes the total from the exchange's fee account and credits every payee in the referral contract, 200 in a " +
          "transaction, from where `claim()` pays. Waits about 20 seconds; a batch that is `paying` then goes on by itself. " +
          "Repeated it pays nothing twice. Too little in the fee account: 409 FEE_ACCOUNT_TOO_SMALL, and the batch is open.",
        ...one,
      },
    },
    async (request) => {
      const id = readUuid("id", request.params.id);
      await payments.pay(id, actorOf(request));
      return await batches.read(id);
    },
  );

  app.post(
    `${BATCH_PATH}/confirm`,
    {
      config: { access: admin, client: "brokerAdmin.confirmPayoutBatch(payment_tx_hash)" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Mark a batch as paid by an outside transaction",
        description:
          "Its USDT Transfer logs must cover every payee; transfers from the platform's own contracts do not count. One " +
          "transaction confirms one batch. 409 PAYMENT_NOT_FOUND, PAYMENT_REVERTED, PAYMENT_NOT_CONFIRMED, " +
          "PAYMENT_NOT_COVERED, PAYMENT_ALREADY_USED; 503 when the chain cannot be asked.",
        ...one,
        body: PayoutConfirmRequest,
      },
    },
    async (request) => {
      const id = readUuid("id", request.params.id);
      const hash = readTxHash("payment_tx_hash", request.body.payment_tx_hash);
      await confirmations.confirm(id, hash, actorOf(request));
      return await batches.read(id);
    },
  );

  app.post(
    `${BATCH_PATH}/cancel`,
    {
      config: { access: admin, client: "brokerAdmin.cancelPayoutBatch" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Cancel an open batch",
        description: "Its lines are pending again. Only an open batch can be cancelled.",
        ...one,
      },
    },
    (request) => batches.cancel(readUuid("id", request.params.id), actorOf(request)),
  );
}

function registerLists(app: App, { lists }: PayoutRoutesOptions): void {
  app.get(
    "/api/v1/broker/admin/rebate/payout-list",
    {
      config: { access: admin, client: "brokerAdmin.payoutList" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Rebate records by payment status",
        description: "Records of brokers, newest day first. A record is paid when all of its lines are.",
        querystring: PayoutListQuery,
        response: { 200: PayoutList },
      },
    },
    ({ query }) => lists.records(query),
  );

  app.get(
    "/api/v1/broker/my-payouts",
    {
      config: { access: wallet, client: "broker.myPayouts" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Payouts to the wallet by batch, newest first",
        description: "An amount paid by `chain` waits in the referral contract for `claim()`.",
        querystring: MyPayoutsQuery,
        response: { 200: Type.Array(MyPayout) },
      },
    },
    (request) => lists.own(walletOf(request), request.query.limit),
  );
}
