import type { Prng } from "../../../packages/engine/src/book/testing/prng.ts";
import type { Operation, Parameter, Schema } from "./operations.ts";
import type { Pools } from "./pools.ts";
import { recipeFor } from "./recipes.ts";

/** Values by a parameter's name, if the description has no example or one that does not exist in this world. */
type Maker = (prng: Prng, pools: Pools) => unknown;

const times: Maker = (prng, { now_ms }) => now_ms - prng.below(86_400_000);
const price: Maker = (prng) => String(58_000 + prng.below(4_000));
const quantity: Maker = (prng) => prng.pick(["0.001", "0.01", "0.1", "0.5"]);
const fresh: Maker = (prng) => `fuzz-${prng.below(2 ** 40).toString(36)}`;
const anyOf =
  (...values: readonly unknown[]): Maker =>
  (prng) =>
    prng.pick(values);

const BY_NAME: Readonly<Record<string, Maker>> = {
  symbol: anyOf("BTCUSDT", "ETHUSDT", "BTCUSDT"),
  pair: anyOf("BTCUSDT"),
  interval: anyOf("1m", "1h", "1d"),
  contractType: anyOf("PERPETUAL"),
  side: anyOf("BUY", "SELL"),
  type: anyOf("LIMIT", "MARKET", "STOP_MARKET"),
  timeInForce: anyOf("GTC", "IOC", "GTX"),
  quantity,
  price,
  stopPrice: price,
  triggerPrice: price,
  activatePrice: price,
  quoteOrderQty: anyOf("1000"),
  callbackRate: anyOf("1"),
  algoType: anyOf("CONDITIONAL"),
  workingType: anyOf("MARK_PRICE", "CONTRACT_PRICE"),
  positionSide: anyOf("BOTH"),
  selfTradePreventionMode: anyOf("EXPIRE_MAKER", "NONE"),
  newOrderRespType: anyOf("ACK", "RESULT"),
  marginType: anyOf("CROSSED"),
  leverage: anyOf(5, 10, 20),
  incomeType: anyOf("TRANSFER", "COMMISSION"),
  autoCloseType: anyOf("LIQUIDATION", "ADL"),
  countdownTime: anyOf(0, 60_000),
  newClientOrderId: fresh,
  clientAlgoId: fresh,
  client_order_id: fresh,
  request_id: fresh,
  username: fresh,
  orderId: (prng, pools) => prng.pick(pools.orders),
  algoId: (prng, pools) => prng.pick(pools.algos),
  fromId: anyOf(0, 1, 2),
  orderIdList: (prng, pools) => `[${prng.pick(pools.orders)}]`,
  origClientOrderId: anyOf("first", "nobody"),
  origClientOrderIdList: anyOf('["first","nobody"]'),
  batchOrders: anyOf(
    '[{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","timeInForce":"GTC","quantity":"0.01","price":"59000"}]',
    '[{"symbol":"BTCUSDT","orderId":1,"side":"BUY","quantity":"0.02","price":"59000"}]',
  ),
  startTime: times,
  endTime: times,
  start_time: times,
  end_time: times,
  limit: anyOf(1, 5, 20, 100),
  cursor: (prng, pools) => prng.pick(pools.cursors),
  address: (prng, pools) => prng.pick(pools.addresses),
  target_address: (prng, pools) => prng.pick(pools.addresses),
  wallet_address: (prng, pools) => prng.pick(pools.addresses),
  operator_addr: (prng, pools) => prng.pick(pools.addresses),
  recipients: (prng, pools) => [prng.pick(pools.addresses)],
  wallets: (prng, pools) => [prng.pick(pools.addresses)],
  to: (prng, pools) => prng.pick(pools.addresses),
  api_key: (prng, pools) => prng.pick(pools.apiKeys),
  code: (prng, pools) => prng.pick(pools.codes),
  product_id: (prng, pools) => prng.pick(pools.products),
  grant_batch_id: (prng, pools) => prng.pick(pools.bonusBatches),
  bd_id: (prng, pools) => prng.pick(pools.bds),
  new_owner: (prng, pools) => prng.pick(pools.bds),
  period: anyOf("2026-05-31", "2026-06-01"),
  message: (prng, pools) => prng.pick(pools.signIns).message,
  signature: (prng, pools) => prng.pick(pools.signIns).signature,
  refresh_token: (prng, pools) => prng.pick(pools.refreshTokens),
  password: anyOf("fuzz-password-1"),
  initial_password: anyOf("fuzz-password-1"),
  subscribe_start_time: (_prng, { now_ms }) => new Date(now_ms + 60_000).toISOString(),
  subscribe_end_time: (_prng, { now_ms }) => new Date(now_ms + 3_600_000).toISOString(),
};

/** An id has another meaning under every path. */
const IDS: readonly (readonly [RegExp, (pools: Pools) => readonly unknown[]])[] = [
  [/^\/api\/v1\/orders\//, (pools) => pools.orders],
  [/^\/earn\/subscriptions\//, (pools) => pools.uuids],
  [/\/earn\//, (pools) => pools.products],
  [/\/admin\/bd\//, (pools) => pools.bds],
  [/\/admin\/kol\//, (pools) => pools.kols],
  [/\/invite-code\//, (pools) => pools.inviteCodes],
  [/\/payout-batches\//, (pools) => pools.payouts],
  [/\/rebate-records\//, (pools) => pools.records],
  [/\/seasons\//, (pools) => pools.seasons],
  [/\/bonus\/admin\/batches\//, (pools) => pools.bonusBatches],
];

/** Routes for which an allowed value would disturb the run, such as a clock that moves by years. */
const BY_ROUTE: Readonly<Record<string, Readonly<Record<string, Maker>>>> = {
  "POST /api/v1/dev/clock": { advance_ms: anyOf(0, 1, 5), now: (_prng, { now_ms }) => now_ms },
  "POST /api/v1/dev/jobs/{name}/run": { name: (prng, pools) => prng.pick(pools.jobs) },
  "POST /api/v1/dev/price": { price },
  "POST /api/v1/admin/prices": { price },
  "GET /api/v1/account/income": { type: anyOf("TRANSFER", "COMMISSION") },
  "GET /api/v1/broker/downlines": { type: anyOf("direct", "sub_kol") },
  "POST /fapi/v1/positionMargin": { type: anyOf(1, 2) },
  "GET /fapi/v1/positionMargin/history": { type: anyOf(1, 2) },
  "POST /api/v1/dev/faucet": { amount: anyOf("100", "1000") },
  // Not the markets of the other actors: a halted market accepts no orders.
  "PUT /api/v1/admin/markets": { symbol: anyOf("SOLUSDT", "AVAXUSDT") },
  "PUT /api/v1/admin/markets/{symbol}": { symbol: anyOf("SOLUSDT", "AVAXUSDT") },
  "PUT /api/v1/points/admin/makers": {
    wallets: (prng, pools) => [{ address: prng.pick(pools.addresses), label: "maker" }],
  },
  "POST /api/v1/admin/markets": {
    symbol: (prng) =>
      `F${prng
        .below(2 ** 30)
        .toString(36)
        .toUpperCase()}USDT`,
  },
};

/** Whole numbers near the limits of a schema, and anywhere between them. */
function numberOf({ minimum = 0, maximum = 1_000_000, type }: Schema, prng: Prng): number {
  const whole = prng.pick([minimum, maximum, prng.between(minimum, maximum), minimum + 1]);
  return type === "integer" || prng.isIn(50) ? whole : whole / 8;
}

export class GoodValues {
  readonly #pools: Pools;

  constructor(pools: Pools) {
    this.#pools = pools;
  }

  parameter(operation: Operation, parameter: Parameter, prng: Prng): unknown {
    if (parameter.in === "path" && parameter.name === "id") {
      const pool = IDS.find(([path]) => path.test(operation.path));
      if (pool !== undefined) return prng.pick(pool[1](this.#pools));
    }
    const schema = parameter.example === undefined ? parameter.schema : { examples: [parameter.example] };
    return this.named(operation, parameter.name, { ...parameter.schema, ...schema }, prng);
  }

  /** The query of a request: a recipe's parameters, else the required ones and some optional ones. */
  query(operation: Operation, prng: Prng): Map<string, unknown> {
    const recipe = operation.body === undefined ? recipeFor(operation.name, prng, this.#pools) : undefined;
    if (recipe !== undefined) return new Map(Object.entries(recipe));
    const chosen = operation.query.filter(({ required }) => required || prng.isIn(40));
    return new Map(chosen.map((parameter) => [parameter.name, this.parameter(operation, parameter, prng)]));
  }

  /** The same for the body. */
  body(operation: Operation, prng: Prng): Record<string, unknown> | undefined {
    if (operation.body === undefined) return undefined;
    const recipe = recipeFor(operation.name, prng, this.#pools);
    return recipe === undefined ? this.members(operation, operation.body, prng) : { ...recipe };
  }

  /** All required members, and a random part of the optional ones. */
  members(operation: Operation, schema: Schema, prng: Prng): Record<string, unknown> {
    const share = prng.pick([0, 30, 100]);
    const chosen = Object.entries(schema.properties ?? {}).filter(
      ([name]) => schema.required?.includes(name) || prng.isIn(share),
    );
    return Object.fromEntries(chosen.map(([name, member]) => [name, this.named(operation, name, member, prng)]));
  }

  named(operation: Operation, name: string, schema: Schema, prng: Prng): unknown {
    const own = BY_ROUTE[operation.name]?.[name];
    if (own !== undefined) return own(prng, this.#pools);
    const maker = BY_NAME[name];
    if (maker !== undefined && prng.isIn(95)) return maker(prng, this.#pools);
    return this.#bySchema(operation, schema, prng);
  }

  #bySchema(operation: Operation, schema: Schema, prng: Prng): unknown {
    if (schema.examples !== undefined && prng.isIn(70)) return prng.pick(schema.examples);
    if (schema.enum !== undefined) return prng.pick(schema.enum);
    if (schema.anyOf !== undefined) return this.#bySchema(operation, prng.pick(schema.anyOf), prng);
    switch (schema.type) {
      case "integer":
      case "number":
        return numberOf(schema, prng);
      case "boolean":
        return prng.isIn(50);
      case "null":
        return null;
      case "array": {
        const { minItems = 0, maxItems = 3, items = {} } = schema;
        const count = prng.between(minItems, Math.min(maxItems, minItems + 3));
        return Array.from({ length: count }, () => this.#bySchema(operation, items, prng));
      }
      case "object":
        return this.members(operation, schema, prng);
      default:
        return schema.examples?.[0] ?? schema.default ?? prng.pick(["a", "first", "2026-06-01", "1"]);
    }
  }
}
