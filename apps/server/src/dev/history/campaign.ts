import { BUY, SELL } from "@bourse/engine";
import type { AccountDirectory, Exchange } from "../../exchange/index.ts";
import {
  BATCHES,
  CODES,
  COUNTERPART,
  type DemoBatch,
  FROZEN,
  HOLDERS,
  RECALLED,
  REDEEMERS,
  SPONSOR,
  TWINS,
} from "./growth-cast.ts";
import { openPosition } from "./trading.ts";
import type { WebClient } from "./web-client.ts";

const ADMIN = "/api/v1/bonus/admin";
/** Days before the last day of the history. */
const GRANTS_BEFORE = 3;
const REDEEMED_BEFORE = 2;
const JUDGED_BEFORE = 1;
const SPONSORED = "300";

export interface DemoCampaignOptions {
  readonly web: WebClient;
  readonly exchange: Exchange;
  readonly directory: Pick<AccountDirectory, "ensure">;
  readonly admin: () => Promise<string>;
  readonly addressOf: (label: string) => string;
}

const requestId = (name: string) => `demo:${name.toLowerCase().replaceAll(" ", "-")}`;
const CODES_REQUEST = requestId(`codes of ${CODES.batch}`);

/**
 * The demo's bonus campaign: batches, codes, newcomers who trade on a bonus, a frozen bonus, a recalled bonus, and two linked
 * wallets. All requests have ids, so that a day can be repeated.
 */
export class DemoCampaign {
  readonly #options: DemoCampaignOptions;

  constructor(options: DemoCampaignOptions) {
    this.#options = options;
  }

  async live(daysBeforeEnd: number): Promise<void> {
    for (const batch of BATCHES) if (batch.daysBeforeEnd === daysBeforeEnd) await this.#grant(batch);
    if (daysBeforeEnd === GRANTS_BEFORE) await this.#sponsor();
    if (daysBeforeEnd === REDEEMED_BEFORE) await this.#redeem();
    if (daysBeforeEnd === JUDGED_BEFORE) {
      await this.#hold();
      await this.#judge();
    }
  }

  async #grant({ recipients, amount, batch_name, grant_tier, max_leverage, notes }: DemoBatch): Promise<void> {
    const { web, admin, addressOf } = this.#options;
    await web.call("POST", `${ADMIN}/grant-batch`, await admin(), {
      batch_name,
      grant_tier,
      per_address_amount: amount,
      max_leverage,
      notes,
      recipients: recipients.map(addressOf),
      operator_addr: addressOf(SPONSOR),
      request_id: requestId(batch_name),
    });
  }

  /** Both twins get their first money from one wallet. */
  async #sponsor(): Promise<void> {
    const { web, addressOf } = this.#options;
    const token = await web.signIn(SPONSOR);
    for (const twin of TWINS) {
      const withdrawal = { amount: SPONSORED, to: addressOf(twin), request_id: requestId(`for ${twin}`) };
      await web.call("POST", "/withdraw/request", token, withdrawal);
    }
  }

  async #redeem(): Promise<void> {
    const { web } = this.#options;
    const codes = await this.#codes();
    for (const [place, label] of REDEEMERS.entries()) {
      const code = { code: codes[place] };
      await web.call("POST", "/api/v1/bonus/redeem", await web.signIn(label), code, "already_has_bonus");
    }
  }

  /** A repeated request returns the same codes. */
  async #codes(): Promise<readonly string[]> {
    const { web, admin, addressOf } = this.#options;
    const token = await admin();
    const { batches } = await web.call<{ batches: { grant_batch_id: string; batch_name: string }[] }>(
      "GET",
      `${ADMIN}/batches`,
      token,
    );
    const batch = batches.find(({ batch_name }) => batch_name === CODES.batch);
    const { codes } = await web.call<{ codes: string[] }>("POST", `${ADMIN}/generate-codes`, token, {
      grant_batch_id: batch?.grant_batch_id,
      amount: CODES.amount,
      count: CODES.count,
      ttl_days: CODES.ttl_days,
      operator_addr: addressOf(SPONSOR),
      request_id: CODES_REQUEST,
    });
    return codes;
  }

  async #hold(): Promise<void> {
    const { exchange, directory, addressOf } = this.#options;
    const counterpart = await directory.ensure(addressOf(COUNTERPART));
    for (const { label, usdt, isLong } of HOLDERS) {
      const customer = await directory.ensure(addressOf(label));
      // If the day is repeated, they already hold the position.
      if (exchange.engine.state.accounts.openPositions(customer) > 0) continue;
      const side = isLong ? BUY : SELL;
      await openPosition(exchange, { market: 0, customer, counterpart, side, value_usdt: usdt, isMaker: false });
    }
  }

  async #judge(): Promise<void> {
    const { web, admin, addressOf } = this.#options;
    const token = await admin();
    const act = (action: "freeze" | "recall", label: string, reason: string, accepted: string) =>
      web.call(
        "POST",
        `${ADMIN}/${action}`,
        token,
        {
          target_address: addressOf(label),
          reason,
          operator_addr: addressOf(SPONSOR),
          request_id: requestId(`${action} ${label}`),
        },
        accepted,
      );
    await act("freeze", FROZEN, "a second account on the same device, being looked at", "already_frozen");
    await act("recall", RECALLED, "never signed in", "no_bonus");
  }
}
