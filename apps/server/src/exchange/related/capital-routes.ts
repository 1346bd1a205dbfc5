import { CapitalCoin, CapitalDeposit, CapitalDepositAddress, CapitalWithdrawal, capitalParameters } from "@bourse/api";
import { Type } from "typebox";
import type { Clock } from "../../kernel/clock.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import type { App } from "../../kernel/http/app.ts";
import { invalidParameter } from "../../kernel/http/error-replies.ts";
import type { FapiParameters } from "../../kernel/http/parameters.ts";
import { boundedWindow } from "../../kernel/windows.ts";
import { reading } from "../fapi/access.ts";
import { addressOf, signedRoute, windowOf } from "../fapi/context.ts";
import {
  coinView,
  DEPOSIT_STATUS,
  depositAddressView,
  depositView,
  networkOf,
  WITHDRAWAL_STATUS,
  withdrawalView,
} from "./capital-views.ts";
import type { MoneyGate, TransferQuery, Transfers } from "./ports.ts";

export interface CapitalRoutesOptions {
  readonly clock: Clock;
  readonly gate: MoneyGate;
  readonly transfers: Transfers;
}

const MAX_WINDOW_ms = 90 * DAY_ms;
const MAX_ROWS = 1000;
const MAX_OFFSET = 100_000;
const MAX_IDS = 45;
const COIN = "USDT";
const COIN_NAME = /^[A-Za-z0-9]{1,20}$/;
const TRANSACTION_HASH = /^0x[0-9a-f]{64}$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const REQUEST_ID = /^[!-~]{1,64}$/;
/** Numbers of states that clients of exchanges know; nothing here is in those that `DEPOSIT_STATUS` and the like lack. */
const HIGHEST_STATUS = 8;

/** A parameter of this form, or undefined; -1130 for any other. */
function formed(parameters: FapiParameters, name: string, form: RegExp): string | undefined {
  const text = parameters.text(name);
  if (text !== undefined && !form.test(text)) throw invalidParameter(name);
  return text;
}

/** The states behind a number: none if it is a known number that nothing here has. */
function statesOf<State extends string>(
  parameters: FapiParameters,
  numbers: Readonly<Record<State, number>>,
): readonly State[] | undefined {
  const status = parameters.integer("status");
  if (status === undefined) return undefined;
  if (status < 0 || status > HIGHEST_STATUS) {
    throw invalidParameter("status", { rule: "status", limit: HIGHEST_STATUS, actual: status });
  }
  return (Object.keys(numbers) as State[]).filter((state) => numbers[state] === status);
}

function offsetOf(parameters: FapiParameters): number {
  const offset = parameters.integer("offset") ?? 0;
  if (offset >= 0 && offset <= MAX_OFFSET) return offset;
  throw invalidParameter("offset", { rule: "offset", limit: MAX_OFFSET, actual: offset });
}

function idsOf(parameters: FapiParameters): readonly string[] | undefined {
  const ids = parameters.text("idList")?.split(",");
  if (ids === undefined) return undefined;
  if (ids.length > MAX_IDS || !ids.every((id) => UUID.test(id))) {
    throw invalidParameter("idList", { rule: "ids", limit: MAX_IDS, actual: ids.length });
  }
  return ids;
}

/** What both histories filter by. Without an end, the window is that of 90 days from the other end. */
function queryOf<State extends string>(
  parameters: FapiParameters,
  numbers: Readonly<Record<State, number>>,
  now_ms: number,
): TransferQuery<State> {
  const coin = formed(parameters, "coin", COIN_NAME);
  const { limit, ...wanted } = windowOf(parameters, MAX_ROWS, MAX_ROWS);
  const { from_ms, to_ms } = boundedWindow(wanted, now_ms, MAX_WINDOW_ms);
  const states = statesOf(parameters, numbers);
  return {
    from_ms,
    to_ms,
    // Nothing ever moved in other coins.
    states: coin === undefined || coin === COIN ? states : [],
    limit,
    offset: offsetOf(parameters),
  };
}

/** Deposits and withdrawals as clients of exchanges with a wallet interface read them. */
export function registerCapitalRoutes(app: App, { clock, gate, transfers }: CapitalRoutesOptions): void {
  app.get(
    "/sapi/v1/capital/config/getall",
    signedRoute({
      access: reading(5),
      client: "related.coins()",
      summary: "The coin, its network and limits",
      reply: Type.Array(CapitalCoin),
    }),
    async () => [coinView(gate, await gate.areWithdrawalsPaused())],
  );

  app.get(
    "/sapi/v1/capital/deposit/hisrec",
    signedRoute({
      access: reading(5),
      client: "related.deposits",
      summary: "Own deposits, newest first",
      parameters: capitalParameters.deposits,
      reply: Type.Array(CapitalDeposit),
    }),
    async (request) => {
      const query = queryOf(request.fapi, DEPOSIT_STATUS, clock.now());
      const transactionHash = formed(request.fapi, "txId", TRANSACTION_HASH)?.toLowerCase();
      const deposits = await transfers.deposits(addressOf(request), { ...query, transactionHash });
      return deposits.map((deposit) => depositView(gate, deposit));
    },
  );

  app.get(
    "/sapi/v1/capital/withdraw/history",
    signedRoute({
      access: reading(5),
      client: "related.withdrawals",
      summary: "Own withdrawals, newest first",
      parameters: capitalParameters.withdrawals,
      reply: Type.Array(CapitalWithdrawal),
    }),
    async (request) => {
      const query = queryOf(request.fapi, WITHDRAWAL_STATUS, clock.now());
      const requestId = formed(request.fapi, "withdrawOrderId", REQUEST_ID);
      const ids = idsOf(request.fapi);
      const withdrawals = await transfers.withdrawals(addressOf(request), { ...query, requestId, ids });
      return withdrawals.map((withdrawal) => withdrawalView(gate, withdrawal));
    },
  );

  app.get(
    "/sapi/v1/capital/deposit/address",
    signedRoute({
      access: reading(5),
      client: "related.depositAddress",
      summary: "The Vault, and what to call",
      description:
        "Deposits are calls of the Vault by the wallet; tokens that are only sent to its address are not credited.",
      parameters: capitalParameters.depositAddress,
      reply: CapitalDepositAddress,
    }),
    ({ fapi }) => {
      const coin = fapi.requiredText("coin");
      const network = fapi.text("network");
      if (coin !== COIN) throw invalidParameter("coin", { rule: "enum", limit: COIN });
      if (network !== undefined && network !== networkOf(gate)) {
        throw invalidParameter("network", { rule: "enum", limit: networkOf(gate) });
      }
      return depositAddressView(gate);
    },
  );
}
