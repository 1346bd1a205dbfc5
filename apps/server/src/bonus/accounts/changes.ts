import type { Applied } from "../../exchange/index.ts";
import type { BonusAccountStatus, BonusLineName } from "../tables.ts";

/** The id of an engine event. */
export interface EventPlace {
  readonly command_number: number;
  readonly event_index: number;
}

/** How a batch of commands changed the bonus of one account: of each field, the last value. */
export interface AccountChange {
  readonly account: number;
  status?: BonusAccountStatus;
  /** The time of the command that set the status. */
  status_ms?: number;
  sums?: { readonly bonus_micros: number; readonly locked_micros: number; readonly consumed_micros: number };
  granted?: EventPlace;
}

/** A ledger line that returned bonus to the pool. */
export interface ReturnedBonus extends EventPlace {
  readonly kind: "RECALL" | "EXPIRE";
  readonly account: number;
  readonly amount_micros: number;
  readonly time_ms: number;
}

/** BON-7: what principal gave back, as its line RECALL says it; of the account's bonus, or of one that has ended. */
export interface Repayment extends EventPlace {
  readonly account: number;
  readonly amount_micros: number;
  readonly time_ms: number;
  /** Whether this batch granted the account a bonus before it. */
  readonly isAfterGrant: boolean;
}

export interface BonusChanges {
  readonly accounts: ReadonlyMap<number, AccountChange>;
  readonly returns: readonly ReturnedBonus[];
  readonly repayments: readonly Repayment[];
  /** The sum of the lines, by kind. */
  readonly lineSums: ReadonlyMap<BonusLineName, bigint>;
  /**
   * For each command that freezes, unfreezes or recalls, by its events: the locked part of the account's bonus afterwards, if a
   * line up to then states it.
   */
  readonly lockedAfter: ReadonlyMap<Applied["events"], number>;
}

export const CONTROL_KINDS: ReadonlySet<string> = new Set(["freeze_bonus", "unfreeze_bonus", "recall_bonus"]);

class Collector implements BonusChanges {
  readonly accounts = new Map<number, AccountChange>();
  readonly returns: ReturnedBonus[] = [];
  readonly repayments: Repayment[] = [];
  readonly lineSums = new Map<BonusLineName, bigint>();
  readonly lockedAfter = new Map<Applied["events"], number>();

  hear(applied: Applied): void {
    const { command, events } = applied;
    for (let at = 0; at < events.length; at += 1) this.#hearEvent(applied, at);
    if (!CONTROL_KINDS.has(command.kind)) return;
    const { account } = command as { readonly account: number };
    const locked = this.accounts.get(account)?.sums?.locked_micros;
    if (locked !== undefined) this.lockedAfter.set(events, locked);
  }

  #hearEvent({ number: command_number, time_ms, events }: Applied, event_index: number): void {
    const event = events[event_index];
    if (event?.kind === "bonus_state_set") {
      const change = this.#changeOf(event.account);
      change.status = event.state as BonusAccountStatus;
      change.status_ms = time_ms;
    }
    if (event?.kind !== "bonus_line") return;
    const { account, line, amount_micros, bonus_micros, locked_micros, consumed_micros } = event;
    this.lineSums.set(line, (this.lineSums.get(line) ?? 0n) + BigInt(amount_micros));
    const before = events[event_index - 1];
    if (before?.kind === "bonus_repaid" && before.account === account) {
      const isAfterGrant = this.accounts.get(account)?.granted !== undefined;
      this.repayments.push({ account, amount_micros, isAfterGrant, command_number, event_index, time_ms });
      return;
    }
    const change = this.#changeOf(account);
    change.sums = { bonus_micros, locked_micros, consumed_micros };
    if (line === "GRANT") change.granted = { command_number, event_index };
    if (line === "RECALL" || line === "EXPIRE")
      this.returns.push({ kind: line, account, amount_micros, command_number, event_index, time_ms });
  }

  #changeOf(account: number): AccountChange {
    let change = this.accounts.get(account);
    if (change === undefined) {
      change = { account };
      this.accounts.set(account, change);
    }
    return change;
  }
}

/**
 * The changes that a batch of commands made to bonuses. Within a batch an account has one bonus: the row of its next bonus cannot
 * be written before the projector has ended the previous one.
 */
export function bonusChanges(batch: readonly Applied[]): BonusChanges {
  const collector = new Collector();
  for (const applied of batch) collector.hear(applied);
  return collector;
}
