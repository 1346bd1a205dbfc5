import {
  Address,
  DepositList,
  DepositListQuery,
  HeldAmountList,
  RemovedWithdrawAddress,
  WithdrawAddress,
  WithdrawAddressList,
  WithdrawAddressRequest,
  WithdrawalList,
  WithdrawalListQuery,
  WithdrawReply,
  WithdrawRequest,
} from "@bourse/api";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { headerText, PREFIXES, sendAccountError, walletOf } from "../exchange/index.ts";
import { ApiError, badRequest } from "../kernel/errors.ts";
import { wallet } from "../kernel/http/access.ts";
import type { App } from "../kernel/http/app.ts";
import type { PageCursors } from "../kernel/page-cursor.ts";
import { pageReply, wholeReply } from "../kernel/pages.ts";
import { plainText } from "../kernel/plain-text.ts";
import { readAddress, readAmount } from "./amounts.ts";
import { type Deposits, depositView } from "./deposits.ts";
import type { WithdrawAddresses } from "./withdraw-addresses.ts";
import { type Withdrawals, withdrawalView } from "./withdrawals.ts";

const tags = ["Wallet"];
const KEY = /^[!-~]{1,64}$/;
const MAX_LABEL_chars = 64;

function readLabel(label: string | undefined): string | null {
  if (label === undefined) return null;
  const plain = plainText(label, MAX_LABEL_chars);
  if (plain === undefined) {
    const details = { rule: "label", limit: MAX_LABEL_chars };
    throw badRequest(`label must have 1 to ${MAX_LABEL_chars} characters and no control characters`, details);
  }
  return plain;
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

export interface WalletRoutesOptions {
  /** VLT-5: nobody withdraws to these (lower case). */
  readonly ownAddresses: ReadonlySet<string>;
  readonly deposits: Pick<Deposits, "page">;
  readonly withdrawals: Withdrawals;
  readonly addresses: WithdrawAddresses;
  readonly cursors: PageCursors;
}

/** VLT-5: an address that a wallet may withdraw to, lower case. */
function readRecipient(text: string, own: ReadonlySet<string>): string {
  const address = readAddress(text);
  if (!own.has(address)) return address;
  const details = { rule: "own_address" };
  throw new ApiError(400, "INVALID_ADDRESS", "the address belongs to the platform", { details });
}

/** VLT-1: money that comes and goes, with the wallet's own sign-in. */
export function registerWalletRoutes(app: App, options: WalletRoutesOptions): void {
  for (const prefix of PREFIXES) {
    registerDepositRoutes(app, prefix, options);
    registerWithdrawRoutes(app, prefix, options);
    registerWithdrawAddressRoutes(app, prefix, options);
  }
}

function registerWithdrawRoutes(app: App, prefix: string, options: WalletRoutesOptions): void {
  const { withdrawals, addresses, cursors, ownAddresses } = options;
  const hide = prefix === "";

  /** An API key sends to its wallet, or to where the wallet itself has allowed. */
  async function recipientOf(request: FastifyRequest, to: string | undefined): Promise<string> {
    const owner = walletOf(request);
    const recipient = readRecipient(to ?? owner, ownAddresses);
    const isByKey = request.principal?.kind === "wallet" && request.principal.apiKey !== undefined;
    if (!isByKey || recipient === owner || (await addresses.has(owner, recipient))) return recipient;
    const text = "API keys withdraw to the wallet itself or to an address on its list";
    throw new ApiError(403, "ADDRESS_NOT_ALLOWED", text, { details: { rule: "withdraw_addresses" } });
  }

  app.post(
    `${prefix}/withdraw/request`,
    {
      config: { access: { ...wallet, apiKey: "WITHDRAW" }, client: "account.withdraw" },
      errorHandler: sendAccountError,
      preValidation: () => withdrawals.assertOpen(),
      schema: {
        hide,
        tags,
        summary: "Withdraw to a wallet",
        description:
          "The amount is held at once. A repeated `request_id` (or `Idempotency-Key`) answers the first request again. " +
          "While withdrawals are paused: 503 WITHDRAWALS_PAUSED. With an API key that has WITHDRAW: `timestamp` and " +
          "`signature` in the query, the signature over query and body as sent; only to the wallet itself or to an " +
          "address on its list. To an address of the platform itself: 400 INVALID_ADDRESS.",
        body: WithdrawRequest,
        response: { 200: WithdrawReply },
      },
    },
    async (request) => {
      const { amount, to, request_id } = request.body;
      return withdrawals.request({
        address: walletOf(request),
        amount_micros: readAmount(amount),
        request_id: idempotencyKey(request_id, headerText(request, "idempotency-key")),
        to: await recipientOf(request, to),
      });
    },
  );

  app.get(
    `${prefix}/withdraw/list`,
    {
      config: { access: wallet, client: "account.withdrawals" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Own withdrawals, by time",
        querystring: WithdrawalListQuery,
        response: { 200: WithdrawalList },
      },
    },
    async (request) => {
      const { order, ...part } = request.query;
      const page = await withdrawals.page(cursors, walletOf(request), { ...part, isDescending: order === "desc" });
      return pageReply(page, withdrawalView, "withdrawals");
    },
  );

  app.get(
    `${prefix}/withdraw/holds`,
    {
      config: { access: wallet, client: "account.holds" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "What of the wallet's money is held, why and until when",
        description:
          "Held gains and what is owed to the bonus pool are not withdrawable. A withdrawal that leaves less than the other " +
          "amounts waits for review (`in_review`), and goes by itself when it has waited for `longest_wait_ms`.",
        response: { 200: HeldAmountList },
      },
    },
    async (request) => wholeReply(await withdrawals.held(walletOf(request))),
  );
}

/** VLT-1: what came in from the chain. */
function registerDepositRoutes(app: App, prefix: string, { deposits, cursors }: WalletRoutesOptions): void {
  app.get(
    `${prefix}/deposit/list`,
    {
      config: { access: wallet, client: "account.deposits" },
      errorHandler: sendAccountError,
      schema: {
        hide: prefix === "",
        tags,
        summary: "Own deposits, by time",
        querystring: DepositListQuery,
        response: { 200: DepositList },
      },
    },
    async (request) => {
      const { order, ...part } = request.query;
      const page = await deposits.page(cursors, walletOf(request), { ...part, isDescending: order === "desc" });
      return pageReply(page, depositView, "deposits");
    },
  );
}

/** VLT-1: the addresses that API keys may withdraw to. Only the wallet's own sign-in changes them. */
function registerWithdrawAddressRoutes(app: App, prefix: string, options: WalletRoutesOptions): void {
  const { addresses, ownAddresses } = options;
  const hide = prefix === "";

  app.get(
    `${prefix}/withdraw/addresses`,
    {
      config: { access: wallet, client: "account.withdrawAddresses" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Addresses that API keys may withdraw to, besides the wallet itself",
        response: { 200: WithdrawAddressList },
      },
    },
    async (request) => wholeReply(await addresses.list(walletOf(request)), "addresses"),
  );

  app.post(
    `${prefix}/withdraw/addresses`,
    {
      config: { access: wallet, client: "account.addWithdrawAddress" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Allow API keys to withdraw to an address",
        body: WithdrawAddressRequest,
        response: { 200: WithdrawAddress },
      },
    },
    (request) => {
      const { address, label } = request.body;
      return addresses.add(walletOf(request), readRecipient(address, ownAddresses), readLabel(label));
    },
  );

  app.delete(
    `${prefix}/withdraw/addresses/:address`,
    {
      config: { access: wallet, client: "account.removeWithdrawAddress" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Remove an address from the list",
        params: Type.Object({ address: Address }),
        response: { 200: RemovedWithdrawAddress },
      },
    },
    async (request) => {
      const address = readAddress(request.params.address);
      await addresses.remove(walletOf(request), address);
      return { address, removed: true as const };
    },
  );
}
