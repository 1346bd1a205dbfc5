import {
  BonusAccountDetail,
  BonusAccountList,
  BonusAccountPath,
  BonusAccountsQuery,
  BonusControlReply,
  BonusControlRequest,
  BonusLedger,
  BonusLedgerQuery,
  MyBonus,
} from "@bourse/api";
import { bonusAdmin, wallet } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { actorOf, schemaRefusal, walletOf } from "../callers.ts";
import { readAddress, readOperator, readReason, readRequestId } from "../inputs.ts";
import type { BonusControl } from "./control.ts";
import type { BonusLists } from "./lists.ts";
import { type MyBonusOptions, readMyBonus } from "./my-bonus.ts";
import { CONTROL_ACTIONS, type ControlAction } from "./refs.ts";

const ADMIN_PATH = "/api/v1/bonus/admin";
const tags = ["Bonus: administration"];
const ownTags = ["Bonus"];

export interface AccountRoutesOptions extends MyBonusOptions {
  readonly control: BonusControl;
  readonly lists: BonusLists;
}

/** BON-1, BON-10, WIRE-5, interface 4.6. */
export function registerAccountRoutes(app: App, options: AccountRoutesOptions): void {
  for (const action of CONTROL_ACTIONS) registerControl(app, action, options);
  registerAdminReads(app, options);
  registerOwn(app, options);
}

const SUMMARIES: Readonly<Record<ControlAction, { readonly summary: string; readonly description: string }>> = {
  freeze: {
    summary: "Freeze a wallet's bonus",
    description:
      "From then on only reducing orders are taken, and all others are cancelled; its time runs on. 404 `no_bonus`; 409 " +
      "`already_frozen`, `already_expired`. A repeated request_id answers the same again, refusals included.",
  },
  unfreeze: {
    summary: "Unfreeze a wallet's bonus",
    description: "404 `no_bonus`; 409 `not_frozen`. A repeated request_id answers the same again, refusals included.",
  },
  recall: {
    summary: "Recall a wallet's bonus into the pool",
    description:
      "All that is left of it, unless part of it is in margin: then nothing is recalled and the answer is 409 " +
      "`bonus_locked` with `details.still_locked_amount`. 404 `no_bonus`. A repeated request_id answers the same again, " +
      "refusals included.",
  },
};

function registerControl(app: App, action: ControlAction, { control }: AccountRoutesOptions): void {
  app.post(
    `${ADMIN_PATH}/${action}`,
    {
      config: { access: bonusAdmin, client: `bonusAdmin.${action}` },
      schemaErrorFormatter: schemaRefusal,
      schema: { tags, ...SUMMARIES[action], body: BonusControlRequest, response: { 200: BonusControlReply } },
    },
    (request) => {
      const { target_address, reason, operator_addr, request_id } = request.body;
      const asked = {
        action,
        address: readAddress("target_address", target_address),
        reason: readReason(reason),
        operator_addr: readOperator(operator_addr),
        request_id: readRequestId(request_id),
      };
      return control.act(asked, actorOf(request));
    },
  );
}

function registerAdminReads(app: App, { lists }: AccountRoutesOptions): void {
  app.get(
    `${ADMIN_PATH}/accounts`,
    {
      config: { access: bonusAdmin, client: "bonusAdmin.accounts" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Bonuses of all wallets, newest first",
        querystring: BonusAccountsQuery,
        response: { 200: BonusAccountList },
      },
    },
    ({ query }) => lists.accounts(query),
  );

  app.get(
    `${ADMIN_PATH}/accounts/:address`,
    {
      config: { access: bonusAdmin, client: "bonusAdmin.account" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "All bonuses that a wallet has had",
        description: "With the pool's ledger lines of each. 404 `no_bonus` if the wallet never had one.",
        params: BonusAccountPath,
        response: { 200: BonusAccountDetail },
      },
    },
    ({ params }) => lists.detail(params.address),
  );
}

function registerOwn(app: App, options: AccountRoutesOptions): void {
  app.get(
    "/api/v1/bonus/me",
    {
      config: { access: wallet, client: "bonus.mine" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags: ownTags,
        summary: "The wallet's bonus",
        description:
          "The newest one; `none` where it never had one. The locked part is reckoned at the present mark prices.",
        response: { 200: MyBonus },
      },
    },
    (request) => readMyBonus(options, walletOf(request)),
  );

  app.get(
    "/api/v1/bonus/me/ledger",
    {
      config: { access: wallet, client: "bonus.ledger" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags: ownTags,
        summary: "Ledger of the wallet's bonuses",
        querystring: BonusLedgerQuery,
        response: { 200: BonusLedger },
      },
    },
    (request) => options.lists.ledger(walletOf(request), request.query),
  );
}
