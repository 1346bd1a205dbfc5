import type {
  BonusReconcileReport,
  Invariant,
  Job,
  MarketInfo,
  PayoutBatch,
  Readiness,
  Switches,
} from "@bourse/api/client";
import type { PlacePath } from "../frame/places.ts";
import { counted } from "../frame/words.ts";

/** Everything the dashboard has read; undefined: not yet. */
export interface Signs {
  readonly readiness: Readiness | undefined;
  readonly invariants: readonly Invariant[] | undefined;
  readonly jobs: readonly Job[] | undefined;
  readonly switches: Switches | undefined;
  readonly markets: readonly MarketInfo[] | undefined;
  readonly batches: readonly PayoutBatch[] | undefined;
  readonly bonus: BonusReconcileReport | undefined;
}

export interface Matter {
  /** `urgent`: something is wrong. `waiting`: an action was begun or something was stopped on purpose. */
  readonly kind: "urgent" | "waiting";
  readonly words: string;
  readonly to: PlacePath;
}

const urgent = (words: string, to: PlacePath): Matter => ({ kind: "urgent", words, to });
const waiting = (words: string, to: PlacePath): Matter => ({ kind: "waiting", words, to });

function platformMatters({ readiness, invariants, jobs }: Signs): Matter[] {
  const faults = Object.entries(readiness?.checks ?? {}).filter(([, { ok }]) => !ok);
  const failing = jobs?.filter(({ consecutive_failures }) => consecutive_failures > 0) ?? [];
  return [
    ...(invariants ?? [])
      .filter(({ ok }) => ok === false)
      .map(({ code, name }) => urgent(`${code} does not hold. ${name}.`, "/admin/invariants")),
    ...faults.map(([name, { detail }]) => urgent(`${name}: ${detail}.`, "/admin/health")),
    ...(failing.length === 0
      ? []
      : [
          urgent(
            `${counted(failing.length, "job")} failing: ${failing.map(({ name }) => name).join(", ")}.`,
            "/admin/jobs",
          ),
        ]),
  ];
}

function stoppedMatters({ switches, markets }: Signs): Matter[] {
  const stopped = markets?.filter(({ status }) => status !== "trading") ?? [];
  return [
    ...(switches?.withdrawals_paused
      ? [
          waiting(
            `Withdrawals are paused${switches.withdrawals_paused_by_setting ? " by the setting WITHDRAWALS_PAUSED" : ""}.`,
            "/admin/switches",
          ),
        ]
      : []),
    ...stopped.map(({ symbol, status }) =>
      waiting(`${symbol} is ${status === "halted" ? "halted" : "reduce-only"}.`, "/admin/markets"),
    ),
  ];
}

function moneyMatters({ batches, bonus }: Signs): Matter[] {
  const open = batches?.filter(({ status }) => status === "open") ?? [];
  const heldUp = batches?.filter(({ status, hold_up }) => status === "paying" && hold_up !== null) ?? [];
  return [
    ...heldUp.map(({ hold_up }) => urgent(`A payout is stuck: ${hold_up}.`, "/admin/payouts")),
    ...(bonus === undefined || bonus.ok
      ? []
      : [urgent("The bonus pool and the accounts do not agree.", "/admin/bonus")]),
    ...(bonus?.grants_stopped ? [urgent("New bonus grants are stopped.", "/admin/bonus")] : []),
    ...(open.length === 0
      ? []
      : [waiting(`${counted(open.length, "payout batch", "payout batches")} wait to be paid.`, "/admin/payouts")]),
  ];
}

/** What needs attention, the worst first. */
export function mattersOf(signs: Signs): readonly Matter[] {
  const all = [...platformMatters(signs), ...moneyMatters(signs), ...stoppedMatters(signs)];
  return [...all.filter(({ kind }) => kind === "urgent"), ...all.filter(({ kind }) => kind === "waiting")];
}
