import type { RebateRecord } from "@bourse/api";
import { referralRebateAbi } from "@bourse/contracts";
import { dayOf } from "../actors/partners.ts";
import type { World } from "../ground/world.ts";
import type { TermsNote } from "../notes.ts";
import type { Fill } from "./account-books.ts";
import { micros, shown, sum } from "./arithmetic.ts";
import type { AuditContext, Section } from "./auditor.ts";

const MILLION = 1_000_000n;
const DAY_ms = 86_400_000;

/** Fee, nominal, customer, share, net, in micros. */
type Parts = [bigint, bigint, bigint, bigint, bigint];

/** BRK-7, FUT-15: the countable part of a fill's fee. */
export function countedFee(fill: Fill, isSelfTrade: boolean): bigint {
  const isLiquidated = fill.cause === "liquidation" && !fill.isMaker;
  return isSelfTrade || isLiquidated || fill.isOffMarket || fill.cause === "takeover" || fill.cause === "adl"
    ? 0n
    : fill.fee - fill.feeFromBonus;
}

/** Trades in which one account was on both sides. */
export function selfTrades(fills: readonly Fill[]): ReadonlySet<string> {
  const sides = new Map<string, Set<string>>();
  for (const { symbol, trade, side } of fills) {
    const key = `${symbol} ${trade}`;
    sides.set(key, (sides.get(key) ?? new Set()).add(side));
  }
  return new Set([...sides].filter(([, both]) => both.size === 2).map(([key]) => key));
}

/** Rebates and payouts, computed again from the fills that clients received and the terms. */
export class RebateSection implements Section {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  async audit(context: AuditContext): Promise<void> {
    const expected = this.#expected(context);
    const found = await this.#found(context);
    const keys = new Set([...expected.keys(), ...found.keys()]);
    for (const key of keys) {
      const text = (parts: Parts | undefined) => (parts ?? [0n, 0n, 0n, 0n, 0n]).map(shown).join(" ");
      context.ledger.equal("settlement", text(found.get(key)), text(expected.get(key)), `the rebates of ${key}`);
    }
    await this.#auditDays(context);
    await this.#auditPaid(context, expected);
  }

  /** By day, owner and downline, for ended days. */
  #expected({ booksOf, notes, now_ms }: AuditContext): Map<string, Parts> {
    const today = dayOf(now_ms);
    const expected = new Map<string, Parts>();
    for (const downline of new Set(notes.terms.map((terms) => terms.downline))) {
      const { fills } = booksOf(downline);
      const selves = selfTrades(fills);
      const fees = new Map<string, { terms: TermsNote; day: string; fee: bigint }>();
      for (const fill of fills) {
        const day = dayOf(fill.time_ms);
        const terms = notes.terms.findLast((each) => each.downline === downline && each.from_ms <= fill.time_ms);
        if (day >= today || terms === undefined) continue;
        const fee = countedFee(fill, selves.has(`${fill.symbol} ${fill.trade}`));
        const rates = [terms.nominal_e6, terms.customer_e6, terms.share_e6].join();
        const key = `${day} ${rates}`;
        fees.set(key, { terms, day, fee: (fees.get(key)?.fee ?? 0n) + fee });
      }
      for (const { terms, day, fee } of fees.values()) {
        if (fee === 0n) continue;
        add(expected, `${day} ${terms.owner.name} ${downline.name}`, partsOf(fee, terms));
      }
    }
    return expected;
  }

  async #found({ people, notes, ledger }: AuditContext): Promise<Map<string, Parts>> {
    const nameOf = new Map(people.map((person) => [person.address, person.name]));
    const found = new Map<string, Parts>();
    for (const owner of new Set(notes.terms.map((terms) => terms.owner))) {
      const records = await owner.get<RebateRecord[]>("/api/v1/broker/rebate-records");
      for (const record of records.filter(({ provisional }) => !provisional)) {
        const { fee_amount, nominal_rebate, customer_rebate, share_amount, kol_net_rebate } = record;
        const amounts = [fee_amount, nominal_rebate, customer_rebate, share_amount, kol_net_rebate];
        const parts = amounts.map(micros) as Parts;
        const [fee, nominal, customer, share, net] = parts;
        const what = () => `record ${record.id}: ${parts.map(shown).join(" ")} does not add up`;
        ledger.check("INV-4", customer + share + net === nominal && nominal <= fee, what);
        add(found, `${record.period} ${owner.name} ${nameOf.get(record.downline_wallet)}`, parts);
      }
    }
    return found;
  }

  /** Every ended day is closed, and settling it again changes nothing. */
  async #auditDays({ notes, admin, ledger, now_ms }: AuditContext): Promise<void> {
    for (const [period, status] of notes.settledDays) {
      ledger.check("settlement", status === "closed", () => `${period} was not closed by its job: ${status}`);
      const path = `/api/v1/broker/settlements/${period}/root`;
      const before = await admin.get<{ root: string; revision: number; status: string }>(path);
      ledger.equal("settlement", before.status, "closed", `the settlement of ${period}`);
      await admin.post("/api/v1/broker/admin/rebate/calculate", { period });
      const after = await admin.get<{ root: string; revision: number; status: string }>(path);
      const text = ({ root, revision }: typeof before) => `${root} ${revision}`;
      ledger.equal("INV-4", text(after), text(before), `the root of ${period} after settling it again`);
    }
    ledger.check("settlement", notes.settledDays.has(dayOf(now_ms - DAY_ms)), () => "yesterday was not settled");
  }

  /** BRK-14: every payee has been credited on the chain what closed days owe, once. */
  async #auditPaid({ people, ledger, notes }: AuditContext, expected: ReadonlyMap<string, Parts>): Promise<void> {
    const owed = new Map<string, bigint>();
    const owe = (name: string, amount: bigint) => owed.set(name, (owed.get(name) ?? 0n) + amount);
    for (const [key, [, , customer, share, net]] of expected) {
      const [, owner, downline] = key.split(" ") as [string, string, string];
      owe(downline, customer);
      owe(owner, net);
      const terms = notes.terms.find((each) => each.owner.name === owner && each.downline.name === downline);
      if (terms?.parent !== undefined) owe(terms.parent.name, share);
    }
    const { node } = this.#world;
    const events = await node.reader.getContractEvents({
      address: node.contracts.referral,
      abi: referralRebateAbi,
      eventName: "RebateCredited",
      fromBlock: 0n,
      strict: true,
    });
    for (const person of people) {
      const own = events.filter(({ args }) => args.user.toLowerCase() === person.address);
      const credited = sum(own.map(({ args }) => args.amount));
      ledger.equal(
        "payout",
        shown(credited),
        shown(owed.get(person.name) ?? 0n),
        `${person.name}: rebates on the chain`,
      );
    }
  }
}

/** BRK-13: each part is truncated to a micro, the net is the rest. */
function partsOf(fee: bigint, { nominal_e6, customer_e6, share_e6 }: TermsNote): Parts {
  const nominal = (fee * nominal_e6) / MILLION;
  const customer = (fee * customer_e6) / MILLION;
  const share = ((nominal - customer) * share_e6) / MILLION;
  return [fee, nominal, customer, share, nominal - customer - share];
}

function add(into: Map<string, Parts>, key: string, parts: Parts): void {
  const before = into.get(key);
  into.set(key, before === undefined ? parts : (parts.map((part, place) => part + before[place]!) as Parts));
}
