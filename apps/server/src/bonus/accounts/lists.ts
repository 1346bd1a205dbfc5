import type {
  BonusAccount,
  BonusAccountDetail,
  BonusAccountList,
  BonusAccountsQuery,
  BonusLedger,
  BonusLedgerQuery,
} from "@bourse/api";
import type { Selectable } from "kysely";
import { cursorKey, projectionDb } from "../../exchange/index.ts";
import { refuseIfLate } from "../../kernel/late.ts";
import { PageCursors } from "../../kernel/page-cursor.ts";
import { pageReply } from "../../kernel/pages.ts";
import { moneyText } from "../../kernel/units.ts";
import { readAddress } from "../inputs.ts";
import type { BonusOptions } from "../options.ts";
import { readBonusPage } from "../pages.ts";
import { refusals } from "../refusals.ts";
import { type BonusAccountTable, type BonusPoolLineTable, bonusDb } from "../tables.ts";

export type BonusListsOptions = Pick<BonusOptions, "settings" | "database" | "projector" | "directory">;

const NUMBERS = ["id", "amount_micros", "bonus_micros", "locked_micros", "consumed_micros"] as const;
const TERMS = ["address", "campaign_id", "batch_id", "grant_tier", "status", "is_credited", "max_leverage"] as const;
const TIMES = ["granted_at", "expires_at", "ended_at", "freeze_reason"] as const;
const COLUMNS = [...NUMBERS, ...TERMS, ...TIMES] as const;

type ShownRow = Pick<Selectable<BonusAccountTable>, (typeof TERMS)[number] | (typeof TIMES)[number]> &
  Readonly<Record<(typeof NUMBERS)[number], bigint | number>>;
type PoolRow = Pick<Selectable<BonusPoolLineTable>, "kind" | "amount_micros" | "command_number" | "time_ms">;

const isoTime = (time_ms: bigint | number) => new Date(Number(time_ms)).toISOString();

function accountView(row: ShownRow): BonusAccount {
  return {
    id: Number(row.id),
    address: row.address,
    campaign_id: row.campaign_id,
    grant_batch_id: row.batch_id,
    grant_tier: row.grant_tier,
    status: row.status,
    is_credited: row.is_credited,
    amount: moneyText(row.amount_micros),
    bonus_free: moneyText(BigInt(row.bonus_micros) - BigInt(row.locked_micros)),
    bonus_locked: moneyText(row.locked_micros),
    bonus_consumed: moneyText(row.consumed_micros),
    max_leverage: row.max_leverage,
    granted_at: row.granted_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    freeze_reason: row.freeze_reason,
  };
}

const poolView = ({ kind, amount_micros, command_number, time_ms }: PoolRow) => ({
  kind,
  amount: moneyText(amount_micros),
  command_number: command_number === null ? null : Number(command_number),
  time: isoTime(time_ms),
});

/** Runs a read, and turns a late projector into a refusal. */
const reading = <T>(read: () => Promise<T>): Promise<T> => refuseIfLate(read(), refusals.behind);

/** BON-1, BON-6: a wallet's own ledger, and the bonus lists of the administration. */
export class BonusLists {
  readonly #options: BonusListsOptions;
  readonly #cursors: PageCursors;

  constructor(options: BonusListsOptions) {
    this.#options = options;
    this.#cursors = new PageCursors(cursorKey(options.settings.jwtSecret));
  }

  ledger(address: string, query: BonusLedgerQuery): Promise<BonusLedger> {
    const { database, directory, projector } = this.#options;
    const { limit, cursor, order, start_time: start_ms, end_time: end_ms } = query;
    return reading(async () => {
      // A wallet without an account has no lines: no account has the number 0.
      const account = directory.numberOf(address) ?? 0;
      await projector.waitForAccount(account);
      const part = { limit, cursor, start_ms, end_ms, isDescending: order === "desc" };
      const page = await readBonusPage(this.#cursors, part, {
        name: ["bonus-ledger", account],
        order: { command_number: "bigint", event_index: "integer" },
        select: ({ from_ms, to_ms }) =>
          projectionDb(database)
            .selectFrom("exchange_bonus_line")
            .selectAll()
            .where("account", "=", account)
            .where("time_ms", ">=", BigInt(from_ms))
            .where("time_ms", "<=", BigInt(to_ms)),
      });
      const line = (row: (typeof page.rows)[number]) => ({
        kind: row.line,
        amount: moneyText(row.amount_micros),
        bonus_after: moneyText(row.bonus_micros),
        locked_after: moneyText(row.locked_micros),
        consumed_after: moneyText(row.consumed_micros),
        time: isoTime(row.time_ms),
      });
      return pageReply(page, line, "lines");
    });
  }

  accounts({ status, address, limit, cursor }: BonusAccountsQuery): Promise<BonusAccountList> {
    const wallet = address === undefined ? undefined : readAddress("address", address);
    return reading(async () => {
      await this.#options.projector.waitForAll();
      const part = { limit, cursor, isDescending: true };
      const page = await readBonusPage(this.#cursors, part, {
        name: ["bonus-accounts", status ?? "", wallet ?? ""],
        order: { id: "bigint" },
        select: () => {
          let list = bonusDb(this.#options.database).selectFrom("bonus_account").select(COLUMNS);
          if (status !== undefined) list = list.where("status", "=", status);
          if (wallet !== undefined) list = list.where("address", "=", wallet);
          return list;
        },
      });
      return pageReply(page, accountView, "accounts");
    });
  }

  /** All bonuses of a wallet. */
  detail(addressText: string): Promise<BonusAccountDetail> {
    const address = readAddress("address", addressText);
    return reading(async () => {
      await this.#options.projector.waitForAll();
      const db = bonusDb(this.#options.database);
      const rows = await db
        .selectFrom("bonus_account")
        .select(COLUMNS)
        .where("address", "=", address)
        .orderBy("id", "desc")
        .execute();
      if (rows.length === 0) throw refusals.noBonus();
      const ids = rows.map(({ id }) => id);
      const lines = await db
        .selectFrom("bonus_pool_line")
        .select(["bonus_account_id", "kind", "amount_micros", "command_number", "time_ms"])
        .where("bonus_account_id", "in", ids)
        .orderBy("id")
        .execute();
      const bonuses = rows.map((row) => ({
        ...accountView(row),
        pool_lines: lines.filter(({ bonus_account_id }) => bonus_account_id === row.id).map(poolView),
      }));
      return { address, bonuses };
    });
  }
}
