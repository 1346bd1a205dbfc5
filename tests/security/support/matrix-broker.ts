/** The broker program's rows of the ownership matrix. */
import { attacked, call, claimsOf, open, own, type Rows, staff } from "./rows.ts";

const BASE = "/api/v1/broker";
const ADMIN = `${BASE}/admin`;
const BATCHES = `${ADMIN}/rebate/payout-batches`;

const kolRows: Rows = {
  ...own(`GET ${BASE}/invite-codes`, {}, { shows: true }),
  ...own(`GET ${BASE}/referral-info`, {}, { shows: true }),
  ...own(`GET ${BASE}/overview`, {}, { shows: true }),
  ...own(`GET ${BASE}/downlines`, {}, { shows: true }),
  ...own(`GET ${BASE}/rebate-records`, {}, { shows: true }),
  ...own(`GET ${BASE}/rebate-records/export`, {}, { shows: true }),
  ...own(`GET ${BASE}/share-income`),
  ...own(`GET ${BASE}/rebate-trend`),
  ...own(`GET ${BASE}/performance`),
  ...own(`GET ${BASE}/what-if`, { customer_rebate_ratio: "0.15" }),
  ...own(`GET ${BASE}/my-rebate`, {}, { shows: true }),
  ...own(`GET ${BASE}/affiliate-records`),
  ...own(`GET ${BASE}/skipped-fills`),
  ...own(`GET ${BASE}/my-payouts`),
  ...open("interface 2.10: the board names every broker", `GET ${BASE}/leaderboard`),
  ...open("BRK-17: the root of a day is the same for all", `GET ${BASE}/settlements/:period/root`),
  ...attacked(`POST ${BASE}/bind`, {
    tries: "to bind the other to a code of its own",
    call: (names, { attacker }) =>
      call("POST", `${BASE}/bind`, { body: { ...claimsOf(names), code: attacker.directCode.code } }),
    refused: 400,
  }),
  ...attacked(`POST ${BASE}/invite-code`, {
    tries: "to make a code that pays the other's downlines to itself, or the other way round",
    call: (names) =>
      call("POST", `${BASE}/invite-code`, {
        body: { code_type: "direct", share_ratio: "0.1", customer_rebate_ratio: "0.1", ...claimsOf(names) },
      }),
    passes: true,
  }),
  ...attacked(
    `PUT ${BASE}/invite-code/:id`,
    {
      tries: "to close the other KOL's code",
      call: ({ codeId }) => call("PUT", `${BASE}/invite-code/${codeId}`, { body: { status: "disabled" } }),
      refused: 404,
    },
    {
      tries: "as a KOL, to close the other's BD's code",
      call: ({ bdCodeId }) => call("PUT", `${BASE}/invite-code/${bdCodeId}`, { body: { status: "disabled" } }),
      refused: 404,
    },
    {
      tries: "as a BD, to close the other BD's code",
      by: "bd",
      call: ({ bdCodeId }) => call("PUT", `${BASE}/invite-code/${bdCodeId}`, { body: { status: "disabled" } }),
      refused: 404,
    },
    {
      tries: "as a BD, to close the code of a KOL, the other's or its own",
      by: "bd",
      call: ({ codeId }) => call("PUT", `${BASE}/invite-code/${codeId}`, { body: { status: "disabled" } }),
      refused: 404,
    },
  ),
  ...attacked(`GET ${BASE}/rebate-records/:id/proof`, {
    tries: "to read the proof of the other's record",
    call: ({ recordId }) => call("GET", `${BASE}/rebate-records/${recordId}/proof`),
    refused: 404,
  }),
  ...attacked(`GET ${BASE}/rebate-records/:id/explain`, {
    tries: "to have the other's record explained",
    call: ({ recordId }) => call("GET", `${BASE}/rebate-records/${recordId}/explain`),
    refused: 404,
  }),
};

const bdRows: Rows = {
  ...own(`GET ${BASE}/bd/invite-codes`, {}, { shows: true, by: "bd" }),
  ...own(`GET ${BASE}/bd/kols`, {}, { shows: true, by: "bd" }),
  ...own(`GET ${BASE}/bd/dashboard`, {}, { by: "bd" }),
  ...own(`GET ${BASE}/bd/downlines`, {}, { shows: true, by: "bd" }),
  ...attacked(`POST ${BASE}/bd/invite-code`, {
    tries: "to make a code in the other BD's name",
    by: "bd",
    call: (names) => call("POST", `${BASE}/bd/invite-code`, { body: { level: 1, ...claimsOf(names) } }),
    passes: true,
  }),
};

const adminRows: Rows = {
  ...staff(`POST ${ADMIN}/bd`),
  ...staff(`GET ${ADMIN}/bds`),
  ...staff(`PUT ${ADMIN}/bd/:id`, ({ victim }) => `${ADMIN}/bd/${victim.bd.id}`),
  ...staff(`POST ${ADMIN}/bd/:id/bulk-reassign`, ({ victim }) => `${ADMIN}/bd/${victim.bd.id}/bulk-reassign`),
  ...staff(`GET ${ADMIN}/dashboard`),
  ...staff(`GET ${ADMIN}/kols`),
  ...staff(`POST ${ADMIN}/kol`),
  ...staff(`PUT ${ADMIN}/kol/:id`, ({ victim }) => `${ADMIN}/kol/${victim.brokerId}`),
  ...staff(`PUT ${ADMIN}/kol/:id/tier`, ({ victim }) => `${ADMIN}/kol/${victim.brokerId}/tier`),
  ...staff(`PUT ${ADMIN}/kol/:id/reassign`, ({ victim }) => `${ADMIN}/kol/${victim.brokerId}/reassign`),
  ...staff(`GET ${ADMIN}/config/tier-thresholds`),
  ...staff(`PUT ${ADMIN}/config/tier-thresholds`),
  ...staff(`DELETE ${ADMIN}/config/tier-thresholds`),
  ...staff(`POST ${ADMIN}/rebate/calculate`),
  ...staff(`GET ${ADMIN}/rebate/payout-list`),
  ...staff(`POST ${BATCHES}`),
  ...staff(`GET ${BATCHES}`),
  ...staff(`GET ${BATCHES}/:id`, ({ batchId }) => `${BATCHES}/${batchId}`),
  ...staff(`GET ${BATCHES}/:id/csv`, ({ batchId }) => `${BATCHES}/${batchId}/csv`),
  ...staff(`POST ${BATCHES}/:id/pay`, ({ batchId }) => `${BATCHES}/${batchId}/pay`),
  ...staff(`POST ${BATCHES}/:id/confirm`, ({ batchId }) => `${BATCHES}/${batchId}/confirm`),
  ...staff(`POST ${BATCHES}/:id/cancel`, ({ batchId }) => `${BATCHES}/${batchId}/cancel`),
};

export const brokerRows: Rows = { ...kolRows, ...bdRows, ...adminRows };
