import type { OwnPoints, PointsLedger } from "@bourse/api";
import type { Person } from "../ground/person.ts";
import { type Fill, nameOf } from "./account-books.ts";
import { micros, shown, sum } from "./arithmetic.ts";
import type { AuditContext, Section } from "./auditor.ts";
import { countedFee, selfTrades } from "./rebates.ts";

const PAGE = 500;

/** PTS-3: every fill scores once, for its trader and for the trader's inviter. */
export class PointsSection implements Section {
  async audit(context: AuditContext): Promise<void> {
    const lines = new Map<Person, Map<string, bigint>>();
    const inviters = invitersOf(context);
    for (const person of context.people) lines.set(person, new Map());
    for (const person of context.people) {
      const { fills } = context.booksOf(person);
      const selves = selfTrades(fills);
      for (const fill of fills) {
        const points = pointsOf(fill, selves.has(`${fill.symbol} ${fill.trade}`));
        put(lines.get(person)!, `trade ${nameOf(fill)}`, points);
        const inviter = inviters.get(person);
        if (inviter !== undefined) put(lines.get(inviter)!, `referral ${nameOf(fill)}`, points / 10n);
      }
    }
    for (const person of context.people) await this.#compare(context, person, lines.get(person)!);
  }

  async #compare({ ledger }: AuditContext, person: Person, expected: ReadonlyMap<string, bigint>): Promise<void> {
    const items = await this.#items(person);
    const fromFills = items.filter(({ symbol }) => symbol !== undefined);
    const found = fromFills.map(
      (item) => `${item.source} ${item.symbol} ${item.trade_id} ${item.side} ${micros(item.points)}`,
    );
    const wanted = [...expected].map(([name, points]) => `${name} ${points}`);
    const known = new Set(wanted);
    for (const line of found) ledger.check("points", known.has(line), () => `${person.name}: ${line} is not earned`);
    ledger.equal("points", new Set(found).size, found.length, `${person.name}: different lines of points`);
    ledger.equal("points", found.length, wanted.length, `${person.name}: lines of points`);
    const own = await person.get<OwnPoints>("/api/v1/points/me");
    const total = sum(items.map(({ points }) => micros(points)));
    ledger.equal("points", shown(micros(own.points_total)), shown(total), `${person.name}: all points`);
  }

  async #items(person: Person): Promise<PointsLedger["items"]> {
    const items: PointsLedger["items"] = [];
    for (let query = `?limit=${PAGE}`; ; ) {
      const page = await person.get<PointsLedger>(`/api/v1/points/me/ledger${query}`);
      items.push(...page.items);
      if (page.next_cursor === null) return items;
      query = `?limit=${PAGE}&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
  }
}

/** A customer's inviter is its broker, a sub-KOL's its parent. */
function invitersOf({ notes }: AuditContext): ReadonlyMap<Person, Person> {
  const inviters = new Map<Person, Person>();
  for (const { downline, owner } of notes.terms) if (downline !== owner) inviters.set(downline, owner);
  return inviters;
}

/** 10 points per USDT of the countable fee, times 1.5 for makers, in millionths, rounded down. */
function pointsOf(fill: Fill, isSelfTrade: boolean): bigint {
  const tens = countedFee(fill, isSelfTrade) * 10n;
  return fill.isMaker ? (tens * 3n) / 2n : tens;
}

/** A line of 0 points is not written. */
function put(lines: Map<string, bigint>, name: string, points: bigint): void {
  if (points > 0n) lines.set(name, points);
}
