import type { BonusReconcileReport, MyBonus, PoolLedger, UnifiedAccount } from "@bourse/api";
import { BONUS_KEY } from "../ground/world.ts";
import { micros, shown, sum } from "./arithmetic.ts";
import type { AuditContext, Section } from "./auditor.ts";

const headers = { "x-bonus-admin-key": BONUS_KEY };
const PAGE = 500;

/** INV-3: what the pool gave and got back equals what the holders received, and what they have left of it. */
export class BonusSection implements Section {
  async audit(context: AuditContext): Promise<void> {
    const { ledger, client, people, booksOf } = context;
    const report = await client.get<BonusReconcileReport>(admin("reconcile-report"), undefined, headers);
    ledger.check("INV-3", report.ok && report.in_flight_count === 0, () => `the report: ${JSON.stringify(report)}`);
    const lines = await this.#poolLines(context);
    const net = (own: typeof lines) =>
      sum(own.map(({ kind, amount }) => (kind === "GRANT" ? micros(amount) : -micros(amount))));
    ledger.equal("INV-3", shown(micros(report.net_outflow)), shown(net(lines)), "the pool's outflow");
    for (const person of people) {
      const books = booksOf(person);
      const own = lines.filter(({ address }) => address === person.address);
      const what = `${person.name}: what the pool has given and not got back`;
      ledger.equal("bonus", shown(net(own)), shown(books.granted - books.returned), what);
      if (own.length === 0) continue;
      const mine = await person.get<MyBonus>("/api/v1/bonus/me");
      const account = await person.get<UnifiedAccount>("/unified/account");
      const left = micros(mine.bonus_free) + micros(mine.bonus_locked);
      ledger.equal("bonus", shown(left), shown(micros(account.bonus)), `${person.name}: the bonus that is left`);
    }
    await this.#auditRequests(context);
  }

  /** BON-4: a repeated request gets the same answer. */
  async #auditRequests({ notes, client, ledger }: AuditContext): Promise<void> {
    for (const { endpoint, body, answer } of notes.bonus) {
      if (answer === undefined) continue;
      const again = await client.send<object>({ method: "POST", url: admin(endpoint), payload: body, headers });
      const expected = JSON.stringify({ ...answer, replayed: true });
      ledger.equal("acknowledged", JSON.stringify(again.body), expected, `${endpoint} ${body["request_id"]}`);
    }
    const open = notes.redemptions.filter(({ knowledge }) => knowledge === "unknown").length;
    ledger.equal("acknowledged", open, 0, "redemptions whose outcome nobody knows");
  }

  async #poolLines({ client }: AuditContext): Promise<PoolLedger["items"]> {
    const lines: PoolLedger["items"] = [];
    for (let query = `?limit=${PAGE}`; ; ) {
      const page = await client.get<PoolLedger>(`${admin("pool-ledger")}${query}`, undefined, headers);
      lines.push(...page.items);
      if (page.next_cursor === null) return lines;
      query = `?limit=${PAGE}&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
  }
}

const admin = (endpoint: string) => `/api/v1/bonus/admin/${endpoint}`;
