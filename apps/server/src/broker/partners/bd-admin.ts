import type { BdAccount, BdChangeRequest, NewBdRequest } from "@bourse/api";
import { type Bd, type BdAccounts, isUsername, PASSWORD_LIMIT_CHARS, USERNAME_RULE } from "../../identity/index.ts";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Database, Tx } from "../../kernel/database/database.ts";
import type { Actor } from "../callers.ts";
import { readName, readUuid } from "../inputs.ts";
import { refusals } from "../refusals.ts";

export interface BdAdminOptions {
  readonly database: Pick<Database, "db">;
  readonly audit: AuditLog;
  readonly bds: BdAccounts;
}

const MIN_PASSWORD_chars = 8;
const MAX_NAME_chars = 64;

const shownBd = ({ id, username, display_name, status }: Bd): BdAccount => ({
  id,
  username,
  display_name,
  role: "bd",
  status,
});

/** Locks the BD of that id until the transaction ends. */
export async function lockBd(bds: BdAccounts, tx: Tx, id: string): Promise<Bd> {
  const bd = await bds.lock(tx, id);
  if (bd === undefined) throw refusals.notFound("BD");
  return bd;
}

/** Locks a BD that can own KOLs. */
export async function lockActiveBd(bds: BdAccounts, tx: Tx, id: string): Promise<Bd> {
  const bd = await lockBd(bds, tx, id);
  if (bd.status !== "active") throw refusals.invalidState(bd.status, "the BD is disabled");
  return bd;
}

function readNewBd({ username, display_name, initial_password: password }: NewBdRequest) {
  if (!isUsername(username)) throw refusals.invalidField("username", USERNAME_RULE);
  if (password.length < MIN_PASSWORD_chars || password.length > PASSWORD_LIMIT_CHARS) {
    const rule = `has ${MIN_PASSWORD_chars} to ${PASSWORD_LIMIT_CHARS} characters`;
    throw refusals.invalidField("initial_password", rule);
  }
  const shownName = display_name === undefined ? username : readName("display_name", display_name, MAX_NAME_chars);
  return { username, display_name: shownName, password };
}

/** The administration of BDs (interface 3.2). */
export class BdAdmin {
  readonly #options: BdAdminOptions;

  constructor(options: BdAdminOptions) {
    this.#options = options;
  }

  async list(): Promise<BdAccount[]> {
    return (await this.#options.bds.list()).map(shownBd);
  }

  async create(request: NewBdRequest, actor: Actor): Promise<BdAccount> {
    const { database, audit, bds } = this.#options;
    const add = await bds.prepare(readNewBd(request));
    return await database.db.transaction().execute(async (tx) => {
      const bd = await add(tx);
      if (bd === undefined) throw refusals.usernameTaken();
      const { id, ...after } = shownBd(bd);
      await audit.append(tx, { ...actor, action: "broker.bd.create", target: id, after });
      return { id, ...after };
    });
  }

  async change(idText: string, { display_name, status }: BdChangeRequest, actor: Actor): Promise<{ id: string }> {
    const { database, audit, bds } = this.#options;
    const id = readUuid("id", idText);
    const change = {
      ...(display_name === undefined ? {} : { display_name: readName("display_name", display_name, MAX_NAME_chars) }),
      ...(status === undefined ? {} : { status }),
    };
    const ended = await database.db.transaction().execute(async (tx) => {
      const bd = await lockBd(bds, tx, id);
      if (Object.keys(change).length === 0) return [];
      const sessions = await bds.change(tx, id, change);
      const before = { display_name: bd.display_name, status: bd.status };
      const after = { ...before, ...change };
      await audit.append(tx, { ...actor, action: "broker.bd.update", target: id, before, after });
      return sessions;
    });
    await bds.sessionsEnded(ended);
    return { id };
  }
}
