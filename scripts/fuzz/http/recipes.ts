import type { Prng } from "../../../packages/engine/src/book/testing/prng.ts";
import type { Pools } from "./pools.ts";

/*
 * Sets of parameters that are valid together. A schema defines each parameter, not their combinations: with random
 * combinations hardly an order would pass the first check.
 */

type Values = Readonly<Record<string, unknown>>;
type Recipe = (prng: Prng, pools: Pools) => Values;

const BTC = { symbol: "BTCUSDT" };
const sideOf = (prng: Prng) => ({ side: prng.pick(["BUY", "SELL"]) });
const size = (prng: Prng) => ({ quantity: prng.pick(["0.001", "0.01", "0.1"]) });
const below = (prng: Prng) => String(57_000 + prng.below(2_000));

const orders: readonly Recipe[] = [
  (prng) => ({ ...BTC, side: "BUY", type: "LIMIT", ...size(prng), price: below(prng), time_in_force: "GTC" }),
  (prng) => ({ ...BTC, ...sideOf(prng), type: "MARKET", ...size(prng) }),
  (prng) => ({ ...BTC, ...sideOf(prng), type: "MARKET", quote_quantity: "500" }),
  (prng) => ({ ...BTC, side: "SELL", type: "STOP_MARKET", ...size(prng), stop_price: below(prng) }),
  (prng) => ({
    ...{ ...BTC, side: "BUY", type: "LIMIT", ...size(prng), price: below(prng) },
    ...{ take_profit: { trigger_price: "66000" }, stop_loss: { trigger_price: "50000" } },
  }),
];

const fapiOrders: readonly Recipe[] = [
  (prng) => ({ ...BTC, side: "BUY", type: "LIMIT", ...size(prng), price: below(prng), timeInForce: "GTC" }),
  (prng) => ({ ...BTC, ...sideOf(prng), type: "MARKET", ...size(prng) }),
  (prng) => ({ ...BTC, side: "SELL", type: "STOP_MARKET", ...size(prng), stopPrice: below(prng) }),
  (prng) => ({ ...BTC, side: "SELL", type: "STOP_MARKET", closePosition: "true", stopPrice: below(prng) }),
];

const oneOrder: readonly Recipe[] = [
  (prng, pools) => ({ ...BTC, orderId: prng.pick(pools.orders) }),
  () => ({ ...BTC, origClientOrderId: "first" }),
];

const algoOrders: readonly Recipe[] = [
  (prng) => ({
    ...{ algoType: "CONDITIONAL", ...BTC, side: "SELL", type: "STOP_MARKET", ...size(prng) },
    triggerPrice: below(prng),
  }),
  (prng) => ({
    ...{ algoType: "CONDITIONAL", ...BTC, side: "SELL", type: "TRAILING_STOP_MARKET", ...size(prng) },
    ...{ callbackRate: "1", activatePrice: "62000" },
  }),
];

const oneAlgo: readonly Recipe[] = [(prng, pools) => ({ algoId: prng.pick(pools.algos) })];

const RECIPES: Readonly<Record<string, readonly Recipe[]>> = {
  "POST /api/v1/orders": orders,
  "POST /api/v1/orders/preview": orders,
  "POST /fapi/v1/order": fapiOrders,
  "POST /fapi/v1/order/test": fapiOrders,
  "PUT /fapi/v1/order": [
    (prng, pools) => ({ ...BTC, orderId: prng.pick(pools.orders), ...size(prng), price: below(prng), side: "BUY" }),
  ],
  "DELETE /fapi/v1/order": oneOrder,
  "GET /fapi/v1/order": oneOrder,
  "GET /fapi/v1/openOrder": oneOrder,
  "GET /fapi/v1/orderAmendment": oneOrder,
  "POST /fapi/v1/algoOrder": algoOrders,
  "GET /fapi/v1/algoOrder": oneAlgo,
  "DELETE /fapi/v1/algoOrder": oneAlgo,
  "POST /fapi/v1/positionMargin": [() => ({ symbol: "ETHUSDT", amount: "1", type: "1" })],
  "DELETE /fapi/v1/batchOrders": [(prng, pools) => ({ ...BTC, orderIdList: `[${prng.pick(pools.orders)}]` })],
  "POST /api/v1/account/margin-mode": [
    (prng) => ({ ...prng.pick([BTC, { symbol: "SOLUSDT" }]), margin_mode: prng.pick(["isolated", "cross"]) }),
  ],
  "POST /api/v1/broker/auth/login": [() => ({ username: "second", password: "fuzz-password-1" })],
  "POST /api/v1/dev/clock": [() => ({ advance_ms: 1 }), (_prng, { now_ms }) => ({ now: now_ms })],
  "POST /api/v1/broker/admin/kol": [
    (prng, pools) => ({ wallet_address: prng.pick(pools.addresses), level: prng.between(1, 4) }),
  ],
  "PUT /api/v1/broker/admin/kol/{id}/tier": [(prng) => ({ tier_level: prng.between(1, 5) })],
  "POST /api/v1/broker/bd/invite-code": [(prng) => ({ level: prng.between(1, 4), note: "a note" })],
  "PUT /api/v1/broker/invite-code/{id}": [(prng) => ({ status: prng.pick(["active", "disabled"]) })],
  "POST /api/v1/broker/admin/bd/{id}/bulk-reassign": [(prng, pools) => ({ new_owner: prng.pick(pools.bds) })],
  "POST /api/v1/broker/admin/rebate/payout-batches": [() => ({})],
  "POST /earn/subscribe/prepare": [(prng, pools) => ({ product_id: prng.pick(pools.products), amount: "100" })],
  "POST /api/v1/earn/admin/products/{id}/fund": [() => ({ amount: "1000000" })],
  "PUT /api/v1/earn/admin/products/{id}": [() => ({ name: "Another name" })],
  "POST /api/v1/bonus/admin/generate-codes": [
    (prng, pools) => ({
      ...{ grant_batch_id: prng.pick(pools.bonusBatches), amount: "1", count: prng.between(1, 3), ttl_days: 5 },
      ...{ operator_addr: prng.pick(pools.addresses), request_id: `codes-${prng.below(2 ** 40)}` },
    }),
  ],
  "POST /api/v1/admin/markets": [
    (prng) => ({
      ...{
        symbol: `F${prng
          .below(2 ** 30)
          .toString(36)
          .toUpperCase()}USDT`,
        tick_size: "0.01",
        lot_size: "0.1",
      },
      ...{ start_price: "100", risk_class: "other" },
    }),
  ],
  "POST /api/v1/admin/prices": [(prng) => ({ ...BTC, price: String(59_000 + prng.below(2_000)) })],
  "PUT /api/v1/points/admin/seasons/{id}": [() => ({ label: "Another label" })],
};

/** A valid set of parameters; undefined if any combination is valid. */
export function recipeFor(route: string, prng: Prng, pools: Pools): Values | undefined {
  const recipes = RECIPES[route];
  if (recipes === undefined || prng.isIn(30)) return undefined;
  return prng.pick(recipes)(prng, pools);
}
