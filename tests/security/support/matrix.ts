/** SEC-6: every route, and how it separates the parties. */
import { brokerRows } from "./matrix-broker.ts";
import { fapiRows } from "./matrix-fapi.ts";
import { attacked, bearer, both, call, claimsOf, each, open, own, type Rows, staff } from "./rows.ts";

const SYMBOL = "BTCUSDT";
const ORDER = { symbol: SYMBOL, side: "BUY", type: "LIMIT", quantity: "0.010", price: "58000", time_in_force: "GTC" };

const openRows: Rows = {
  ...open(
    "pages, health and documentation",
    "OPTIONS *",
    "GET /",
    "GET /app",
    "GET /app/*",
    "HEAD /app/*",
    "GET /healthz",
    "GET /readyz",
    "GET /metrics",
    "GET /openapi.json",
    "GET /docs",
    "GET /docs/",
    "GET /docs/js/scalar.js",
    "GET /api/v1/config",
  ),
  ...open(
    "development only: absent in production",
    "POST /api/v1/dev/clock",
    "POST /api/v1/dev/jobs/:name/run",
    "POST /api/v1/dev/faucet",
    "POST /api/v1/dev/price",
    "GET /api/v1/dev/personas",
    "POST /rpc",
  ),
  ...open(
    "market data",
    "GET /api/v1/markets",
    "GET /api/v1/markets/:symbol/risk-events",
    "GET /api/v1/funding-rates/:symbol",
    "GET /funding-rates/:symbol",
    "GET /api/v1/external/markets/:symbol/ticker",
    "GET /external/markets/:symbol/ticker",
  ),
  ...open(
    "interface 4.3: products are public",
    "GET /earn/domain",
    "GET /earn/products",
    "GET /earn/products/:id",
    "GET /earn/products/:id/solvency",
  ),
  ...open(
    "interface 4.4: what the chain shows to all",
    "GET /referral/on-chain/user-rebate/:address",
    "GET /referral/on-chain/referral-info/:address",
    "GET /referral/on-chain/claimed/:address",
    "GET /referral/on-chain/operator-status",
  ),
  ...open(
    "interface 4.5: seasons and boards are public, allocations are proofs for anybody",
    "GET /api/v1/points/seasons",
    "GET /api/v1/points/seasons/:id/allocation/:address",
    "GET /api/v1/points/leaderboard/daily",
    "GET /api/v1/points/leaderboard/epoch",
    "GET /api/v1/points/earn-level-config",
  ),
};

const identityRows: Rows = {
  ...bearer(
    "the nonce, the signature, the password or the token is the identity (sign-in.test.ts)",
    "POST /api/v1/auth/nonce",
    "POST /api/v1/auth/login",
    "POST /api/v1/auth/refresh",
    "POST /api/v1/broker/auth/login",
  ),
  ...attacked("POST /api/v1/auth/logout", {
    tries: "to end the other's session by naming it",
    by: "bd",
    call: (names) => call("POST", "/api/v1/auth/logout", { body: { ...claimsOf(names), session_id: names.brokerId } }),
    passes: true,
  }),
  ...both((prefix) => ({
    ...own(`GET ${prefix}/account/api-keys`, {}, { shows: true }),
    ...attacked(`POST ${prefix}/account/api-keys`, {
      tries: "to make a key for the other",
      call: (names) =>
        call("POST", `${prefix}/account/api-keys`, {
          body: { label: "mine", permissions: ["READ"], ...claimsOf(names) },
        }),
      passes: true,
    }),
    ...attacked(`DELETE ${prefix}/account/api-keys/:api_key`, {
      tries: "to revoke the other's key",
      call: ({ apiKey }) => call("DELETE", `${prefix}/account/api-keys/${apiKey}`),
      refused: 404,
    }),
  })),
};

const orderRows = (prefix: string): Rows => ({
  ...attacked(`POST ${prefix}/orders`, {
    tries: "to place an order for the other",
    call: (names) => call("POST", `${prefix}/orders`, { body: { ...ORDER, ...claimsOf(names) } }),
    passes: true,
  }),
  ...attacked(`POST ${prefix}/orders/preview`, {
    tries: "to preview on the other's account",
    call: (names) => call("POST", `${prefix}/orders/preview`, { body: { ...ORDER, ...claimsOf(names) } }),
    passes: true,
  }),
  ...attacked(
    `DELETE ${prefix}/orders/:id`,
    {
      tries: "to cancel the other's order",
      call: ({ orderId }) => call("DELETE", `${prefix}/orders/${orderId}`),
      refused: 404,
    },
    {
      tries: "to cancel the other's conditional order",
      call: ({ algoId }) => call("DELETE", `${prefix}/orders/${algoId}`),
      refused: 404,
    },
  ),
  ...own(`GET ${prefix}/orders`, {}, { shows: true }),
  ...own(`GET ${prefix}/orders/open`, {}, { shows: true }),
  ...own(`GET ${prefix}/account/orders`, {}, { shows: true }),
});

const walletRows = (prefix: string): Rows => ({
  ...own(`GET ${prefix}/positions/active`),
  ...own(`GET ${prefix}/unified/account`),
  ...own(`GET ${prefix}/account/trades`),
  ...own(`GET ${prefix}/account/income`),
  ...own(`GET ${prefix}/account/equity-history`),
  ...own(`GET ${prefix}/account/events`, { after: "0" }, { shows: true }),
  ...own(`GET ${prefix}/account/margin-mode`),
  ...own(`GET ${prefix}/account/fee-info`),
  ...attacked(`POST ${prefix}/account/margin-mode`, {
    tries: "to change the other's mode",
    call: (names) =>
      call("POST", `${prefix}/account/margin-mode`, {
        body: { symbol: "ETHUSDT", margin_mode: "isolated", ...claimsOf(names) },
      }),
    passes: true,
  }),
  ...own(`GET ${prefix}/deposit/list`),
  ...own(`GET ${prefix}/withdraw/list`, {}, { shows: true }),
  ...own(`GET ${prefix}/withdraw/holds`),
  ...own(`GET ${prefix}/withdraw/addresses`, {}, { shows: true }),
  ...attacked(`POST ${prefix}/withdraw/addresses`, {
    tries: "to put an address on the other's list",
    call: (names) => {
      const { address: _, ...claims } = claimsOf(names);
      return call("POST", `${prefix}/withdraw/addresses`, { body: { ...claims, address: `0x${"c0".repeat(20)}` } });
    },
    passes: true,
  }),
  ...attacked(`DELETE ${prefix}/withdraw/addresses/:address`, {
    tries: "to take an address off the other's list",
    call: ({ withdrawTo }) => call("DELETE", `${prefix}/withdraw/addresses/${withdrawTo}`),
    refused: 404,
  }),
  ...attacked(
    `POST ${prefix}/withdraw/request`,
    {
      tries: "to withdraw the other's money",
      call: (names) => call("POST", `${prefix}/withdraw/request`, { body: { amount: "1", ...claimsOf(names) } }),
      passes: true,
    },
    {
      tries: "to be answered with the other's withdrawal, by the name of its request",
      call: ({ requestId }) =>
        call("POST", `${prefix}/withdraw/request`, { body: { amount: "2", request_id: requestId } }),
      passes: true,
    },
    {
      tries: "to send by key to an address on the other's list",
      by: "key",
      call: ({ withdrawTo }) => call("POST", `${prefix}/withdraw/request`, { body: { amount: "1", to: withdrawTo } }),
      refused: 403,
    },
  ),
});

const earnRows: Rows = {
  ...own("GET /earn/subscriptions", {}, { shows: true }),
  ...attacked("GET /earn/subscriptions/:id", {
    tries: "to read the other's subscription",
    call: ({ subscriptionId }) => call("GET", `/earn/subscriptions/${subscriptionId}`),
    refused: 404,
  }),
  ...attacked("POST /earn/subscribe/prepare", {
    tries: "to get a voucher in the other's name",
    call: (names, { productId }) =>
      call("POST", "/earn/subscribe/prepare", { body: { product_id: productId, amount: "10", ...claimsOf(names) } }),
    passes: true,
  }),
  ...staff("POST /api/v1/earn/admin/products"),
  ...staff("PUT /api/v1/earn/admin/products/:id", ({ productId }) => `/api/v1/earn/admin/products/${productId}`),
  ...staff(
    "POST /api/v1/earn/admin/products/:id/cancel",
    ({ productId }) => `/api/v1/earn/admin/products/${productId}/cancel`,
  ),
  ...staff(
    "POST /api/v1/earn/admin/products/:id/fund",
    ({ productId }) => `/api/v1/earn/admin/products/${productId}/fund`,
  ),
};

const pointsRows: Rows = {
  ...own("GET /api/v1/points/me"),
  ...own("GET /api/v1/points/me/ledger"),
  ...staff("GET /api/v1/points/admin/levels"),
  ...staff("PUT /api/v1/points/admin/levels"),
  ...staff("GET /api/v1/points/admin/rules"),
  ...staff("PUT /api/v1/points/admin/rules"),
  ...staff("GET /api/v1/points/admin/makers"),
  ...staff("PUT /api/v1/points/admin/makers"),
  ...staff("GET /api/v1/points/admin/seasons"),
  ...staff("POST /api/v1/points/admin/seasons"),
  ...staff("PUT /api/v1/points/admin/seasons/:id", ({ batchId }) => `/api/v1/points/admin/seasons/${batchId}`),
  ...staff(
    "POST /api/v1/points/admin/seasons/:id/complete",
    ({ batchId }) => `/api/v1/points/admin/seasons/${batchId}/complete`,
  ),
};

const BONUS = "/api/v1/bonus/admin";
const bonusRows: Rows = {
  ...own("GET /api/v1/bonus/me"),
  ...own("GET /api/v1/bonus/me/ledger"),
  ...attacked("POST /api/v1/bonus/redeem", {
    tries: "to redeem the other's code, in either name",
    call: ({ bonusCode, ...names }) =>
      call("POST", "/api/v1/bonus/redeem", { body: { ...claimsOf({ ...names, bonusCode }), code: bonusCode } }),
    refused: 400,
  }),
  ...each(
    ["grant-batch", "generate-codes", "expire-codes", "void-codes", "freeze", "unfreeze", "recall", "freeze-linked"],
    (name) => staff(`POST ${BONUS}/${name}`),
  ),
  ...each(["batches", "pool-ledger", "campaign", "accounts", "reconcile-report", "risk"], (name) =>
    staff(`GET ${BONUS}/${name}`),
  ),
  ...staff(`PUT ${BONUS}/campaign`),
  ...staff(`GET ${BONUS}/batches/:id`, ({ grantBatchId }) => `${BONUS}/batches/${grantBatchId}`),
  ...staff(`GET ${BONUS}/accounts/:address`, ({ victim }) => `${BONUS}/accounts/${victim.address}`),
};

const ADMIN = "/api/v1/admin";
const NO_WITHDRAWAL = "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44";
const adminRows: Rows = {
  ...each(["audit-log", "jobs", "markets", "invariants", "switches", "prices", "rules-version"], (name) =>
    staff(`GET ${ADMIN}/${name}`),
  ),
  ...staff(`POST ${ADMIN}/markets`),
  ...staff(`PUT ${ADMIN}/markets`),
  ...staff(`PUT ${ADMIN}/markets/:symbol`, () => `${ADMIN}/markets/${SYMBOL}`),
  ...staff(`PUT ${ADMIN}/switches`),
  ...staff(`POST ${ADMIN}/rules-version`),
  ...staff(`GET ${ADMIN}/markets/:symbol/rules`, () => `${ADMIN}/markets/BTCUSDT/rules`),
  ...staff(`PUT ${ADMIN}/markets/:symbol/rules`, () => `${ADMIN}/markets/BTCUSDT/rules`),
  ...staff(`GET ${ADMIN}/risk/fund`),
  ...staff(`GET ${ADMIN}/risk/transfers`),
  ...staff(`PUT ${ADMIN}/switches/withdrawals`),
  ...staff(`POST ${ADMIN}/prices`),
  ...staff(`GET ${ADMIN}/withdrawals/reviews`),
  ...each(["release", "refuse"], (what) =>
    staff(`POST ${ADMIN}/withdrawals/:id/${what}`, () => `${ADMIN}/withdrawals/${NO_WITHDRAWAL}/${what}`),
  ),
  ...staff("PUT /api/v1/referral/admin/tier"),
};

export const matrix: Rows = {
  ...openRows,
  ...identityRows,
  ...both(orderRows),
  ...both(walletRows),
  ...earnRows,
  ...pointsRows,
  ...bonusRows,
  ...adminRows,
  ...brokerRows,
  ...fapiRows,
};
