/**
 * The states of a bonus account as one total table (BON-9, BON-10, section 3.7 of the interface): every state answers
 * every event, with a move and its effects or with a refusal and its reason.
 */

export const BONUS_STATES = ["none", "active", "frozen", "expired_pending", "recalled"] as const;
export type BonusState = (typeof BONUS_STATES)[number];

export const BONUS_EVENTS = [
  /** A grant of a batch or a redeemed code. */
  "grant",
  /** By an admin, by the reconciliation, by the risk rules. */
  "freeze",
  "unfreeze",
  /** An admin's recall while no bonus is locked in margin, and while some is. */
  "recall_unlocked",
  "recall_locked",
  /** Seven days after the grant, without and with open positions. */
  "expiry_flat",
  "expiry_with_positions",
  /** The last position was closed and at least one had been opened on the bonus. */
  "last_position_closed",
  /** Seven days after the expiry. */
  "grace_over",
  /** A cost has taken the last of the bonus. */
  "bonus_consumed",
] as const;
export type BonusEvent = (typeof BONUS_EVENTS)[number];

/** What the engine does together with a move. */
export type BonusEffect =
  | "credit_bonus"
  | "start_clock"
  | "cancel_orders"
  /** The bonus that is not locked, as far as margin allows; the rest when it is no longer margin. */
  | "return_free_bonus"
  | "return_bonus"
  /** With bounded IOC orders. */
  | "close_positions";

export type BonusRefusal =
  | "already_has_bonus"
  | "no_bonus"
  | "already_frozen"
  | "not_frozen"
  | "bonus_locked"
  | "already_expired"
  | "not_expired";

export type BonusAnswer =
  | { readonly kind: "move"; readonly next: BonusState; readonly effects: readonly BonusEffect[] }
  | { readonly kind: "refusal"; readonly reason: BonusRefusal };

function to(next: BonusState, ...effects: BonusEffect[]): BonusAnswer {
  return Object.freeze({ kind: "move", next, effects: Object.freeze(effects) });
}

function refuse(reason: BonusRefusal): BonusAnswer {
  return Object.freeze({ kind: "refusal", reason });
}

/**
 * Decisions where the rules leave a choice:
 * - A freeze applies to the bonus, not to the wallet: everything that ends an active bonus ends a frozen one (BON-10
 *   states this for recall and expiry). The bonus is then back in the pool and nothing is left to freeze.
 * - A bonus that costs have used up ends at once. Otherwise its expiry would close positions that use principal alone.
 * - An expired bonus cannot be frozen: it only allows closing already, and unfreezing must not restart it.
 * - After a recall a later campaign may grant again; grants enforce one bonus per campaign and wallet (BON-2).
 * - Timers and closings that find no bonus change nothing: nobody requested them, so there is no refusal.
 */
const TABLE: Readonly<Record<BonusState, Readonly<Record<BonusEvent, BonusAnswer>>>> = {
  none: withoutBonus("none"),
  active: {
    grant: refuse("already_has_bonus"),
    freeze: to("frozen"),
    unfreeze: refuse("not_frozen"),
    ...endings(),
    grace_over: refuse("not_expired"),
  },
  frozen: {
    grant: refuse("already_has_bonus"),
    freeze: refuse("already_frozen"),
    unfreeze: to("active"),
    ...endings(),
    grace_over: refuse("not_expired"),
  },
  expired_pending: {
    grant: refuse("already_has_bonus"),
    freeze: refuse("already_expired"),
    unfreeze: refuse("not_frozen"),
    ...endings(),
    expiry_flat: refuse("already_expired"),
    expiry_with_positions: refuse("already_expired"),
    grace_over: to("expired_pending", "close_positions"),
  },
  recalled: withoutBonus("recalled"),
};

/** The events that end a running bonus, in any of its states. */
function endings() {
  return {
    recall_unlocked: to("recalled", "return_bonus"),
    recall_locked: refuse("bonus_locked"),
    expiry_flat: to("recalled", "cancel_orders", "return_bonus"),
    expiry_with_positions: to("expired_pending", "cancel_orders", "return_free_bonus"),
    last_position_closed: to("recalled", "cancel_orders", "return_bonus"),
    bonus_consumed: to("recalled"),
  };
}

function withoutBonus(state: BonusState): Readonly<Record<BonusEvent, BonusAnswer>> {
  return {
    grant: to("active", "credit_bonus", "start_clock"),
    freeze: refuse("no_bonus"),
    unfreeze: refuse("no_bonus"),
    recall_unlocked: refuse("no_bonus"),
    recall_locked: refuse("no_bonus"),
    expiry_flat: to(state),
    expiry_with_positions: to(state),
    last_position_closed: to(state),
    grace_over: to(state),
    bonus_consumed: to(state),
  };
}

export function answerBonusEvent(state: BonusState, event: BonusEvent): BonusAnswer {
  return TABLE[state][event];
}

export function isRunningBonus(state: BonusState): boolean {
  return state !== "none" && state !== "recalled";
}

/** BON-9, BON-10: frozen and expired accounts may only reduce. */
export function allowsOnlyReducing(state: BonusState): boolean {
  return state === "frozen" || state === "expired_pending";
}

/** The table as Markdown for the documentation: a row per event, a column per state. */
export function renderBonusTable(): string {
  const lines = [
    `| Event | ${BONUS_STATES.join(" | ")} |`,
    `|---|${BONUS_STATES.map(() => "---|").join("")}`,
    ...BONUS_EVENTS.map((event) => {
      const cells = BONUS_STATES.map((state) => renderAnswer(state, answerBonusEvent(state, event)));
      return `| \`${event}\` | ${cells.join(" | ")} |`;
    }),
  ];
  return `${lines.join("\n")}\n`;
}

function renderAnswer(state: BonusState, answer: BonusAnswer): string {
  if (answer.kind === "refusal") return `refused: \`${answer.reason}\``;
  const effects = answer.effects.map((effect) => effect.replaceAll("_", " ")).join(", ");
  const next = answer.next === state ? "stays" : `→ ${answer.next}`;
  return effects === "" ? next : `${next}: ${effects}`;
}
