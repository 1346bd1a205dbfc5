import { FaucetReply, FaucetRequest } from "@bourse/api";
import { type Exchange, sendAccountError } from "../exchange/index.ts";
import { development } from "../kernel/http/access.ts";
import type { App } from "../kernel/http/app.ts";
import { type Random, randomUuid } from "../kernel/random.ts";
import { moneyText } from "../kernel/units.ts";
import { readAddress, readAmount } from "../wallet/index.ts";
import type { Faucet } from "./faucet.ts";

const DEFAULT_AMOUNT = "10000";

export interface FaucetRouteOptions {
  readonly faucet: Faucet;
  readonly exchange: Exchange;
  readonly random: Random;
}

/** RUN-6: development only. */
export function registerFaucetRoute(app: App, { faucet, exchange, random }: FaucetRouteOptions): void {
  app.post(
    "/api/v1/dev/faucet",
    {
      config: { access: development, client: "dev.faucet" },
      errorHandler: sendAccountError,
      schema: {
        tags: ["Development"],
        summary: "Gas, test USDT and a deposit for a wallet",
        description:
          "Sends gas and the amount in test USDT to the wallet, and deposits as much again into the vault for its " +
          "futures account. The reply comes once the account has it. A repeated `request_id` sends nothing more.",
        body: FaucetRequest,
        response: { 200: FaucetReply },
      },
    },
    async ({ body }) => {
      const address = readAddress(body.address);
      const amount_micros = readAmount(body.amount ?? DEFAULT_AMOUNT);
      const request = body.request_id ?? randomUuid(random);
      const { account, hashes, isReplayed } = await faucet.give({ address, amount_micros, request });
      const principal = moneyText(exchange.engine.state.accounts.principal(account));
      return { address, amount: moneyText(amount_micros), principal, tx_hashes: hashes, replayed: isReplayed };
    },
  );
}
