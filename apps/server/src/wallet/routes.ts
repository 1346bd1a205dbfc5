import {
  FaucetReply,
  FaucetRequest,
  listParameters,
  WithdrawalList,
  WithdrawReply,
  WithdrawRequest,
} from "@bourse/api";
import { Type } from "typebox";
import { sendAccountError } from "../exchange/account/refusals.ts";
import { clampLimit, headerText, walletOf } from "../exchange/account/requests.ts";
import type { Exchange } from "../exchange/host/exchange.ts";
import { moneyText } from "../exchange/units.ts";
import { parseAddress } from "../identity/address.ts";
import { ApiError, badRequest } from "../kernel/errors.ts";
import type { Access } from "../kernel/http/access.ts";
import type { App } from "../kernel/http/app.ts";
import { type Random, randomUuid } from "../kernel/random.ts";
import { readAmount } from "./amounts.ts";
import type { Deposits } from "./deposits.ts";
import type { Withdrawals } from "./withdrawals.ts";

const tags = ["Wallet"];
const DEFAULT_FAUCET = "10000";
const KEY = /^[!-~]{1,64}$/;

export const faucetPolicy: Readonly<Record<string, Access>> = {
  "POST /api/v1/dev/faucet": { area: "dev", allow: "anyone" },
};

const NOBODY = `0x${"0".repeat(40)}`;

/** Nobody holds the key of the zero address: what is sent there is gone. */
function readAddress(text: string): string {
  const address = parseAddress(text);
  if (address === undefined || address === NOBODY) {
    throw new ApiError(400, "INVALID_ADDRESS", "the address is not valid");
  }
  return address;
}

/** `request_id`, else the header of the same purpose; both must agree where both are given. */
function idempotencyKey(request_id: string | undefined, header: string | undefined): string | null {
  if (header !== undefined && !KEY.test(header)) {
    throw badRequest("the Idempotency-Key has 1 to 64 printable characters without spaces");
  }
  if (request_id !== undefined && header !== undefined && request_id !== header) {
    throw badRequest("request_id and Idempotency-Key differ");
  }
  return request_id ?? header ?? null;
}

/** VLT-1, below `prefix` (T12: once under /api/v1, once at the root). */
export function registerWithdrawRoutes(app: App, prefix: string, withdrawals: Withdrawals): void {
  const hide = prefix === "";

  app.post(
    `${prefix}/withdraw/request`,
    {
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Withdraw to a wallet",
        description:
          "The amount is held at once. A repeated `request_id` (or `Idempotency-Key`) answers the first request again. " +
          "While withdrawals are paused: 503 WITHDRAWALS_PAUSED.",
        body: WithdrawRequest,
        response: { 200: WithdrawReply },
      },
    },
    async (request) => {
      const address = walletOf(request);
      const { amount, to, request_id } = request.body;
      return withdrawals.request({
        address,
        to: to === undefined ? address : readAddress(to),
        amount_micros: readAmount(amount),
        request_id: idempotencyKey(request_id, headerText(request, "idempotency-key")),
      });
    },
  );

  app.get(
    `${prefix}/withdraw/list`,
    {
      schema: {
        hide,
        tags,
        summary: "Own withdrawals, by time",
        querystring: Type.Object({ limit: listParameters.limit, order: listParameters.order }),
        response: { 200: WithdrawalList },
      },
    },
    async (request) => {
      const { limit, order = "asc" } = request.query;
      return { withdrawals: await withdrawals.list(walletOf(request), clampLimit(limit), order) };
    },
  );
}

export interface FaucetOptions {
  readonly deposits: Deposits;
  readonly exchange: Exchange;
  readonly random: Random;
}

/** RUN-6; development only. */
export function registerFaucetRoute(app: App, { deposits, exchange, random }: FaucetOptions): void {
  app.post(
    "/api/v1/dev/faucet",
    {
      errorHandler: sendAccountError,
      schema: {
        tags: ["Development"],
        summary: "Test money for a wallet",
        description:
          "Credits the wallet's futures account directly: there is no chain yet on which tokens could be sent and " +
          "deposited. The reply comes once the money is there.",
        body: FaucetRequest,
        response: { 200: FaucetReply },
      },
    },
    async ({ body }) => {
      const address = readAddress(body.address);
      const amount_micros = readAmount(body.amount ?? DEFAULT_FAUCET);
      const ref = `faucet:${address}:${body.request_id ?? randomUuid(random)}`;
      const { account, isNew } = await deposits.credit(address, amount_micros, ref);
      const principal = moneyText(exchange.engine.state.accounts.principal(account));
      return { address, amount: moneyText(amount_micros), principal, replayed: !isNew };
    },
  );
}
