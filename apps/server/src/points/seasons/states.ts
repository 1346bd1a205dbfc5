/**
 * Interface 3.5, PTS-2: the states of a season as one total table: every status has an answer to everything that can happen,
 * a move with what goes along with it or a refusal with its reason.
 */
export const SEASON_STATUSES = ["pending", "active", "snapshot", "distributing", "completed"] as const;
export type SeasonStatus = (typeof SEASON_STATUSES)[number];

export const SEASON_EVENTS = [
  /** The first epoch begins. */
  "start_reached",
  /** The last epoch is over. */
  "end_reached",
  "distribution_reached",
  /** An admin says that everybody can claim. */
  "all_claimable",
  /** 90 days after the distribution began. */
  "claim_window_over",
  /** An admin changes what it is made of. */
  "change",
] as const;
export type SeasonEvent = (typeof SEASON_EVENTS)[number];

/** What is done in the transaction of the move. */
export type SeasonEffect =
  | "freeze_points"
  | "allocate_tokens"
  | "publish_root"
  /** What an admin may change. */
  | "change_everything"
  | "change_label_end_pools_distribution"
  | "change_label_distribution"
  | "change_label";

export type SeasonRefusal = "not_started" | "not_over" | "not_distributing";

export type SeasonAnswer =
  | { readonly kind: "move"; readonly next: SeasonStatus; readonly effects: readonly SeasonEffect[] }
  | { readonly kind: "refusal"; readonly reason: SeasonRefusal };

const to = (next: SeasonStatus, ...effects: SeasonEffect[]): SeasonAnswer =>
  Object.freeze({ kind: "move", next, effects: Object.freeze(effects) });
const refuse = (reason: SeasonRefusal): SeasonAnswer => Object.freeze({ kind: "refusal", reason });

/**
 * A moment that a season is past already changes nothing. One that comes before its turn is refused: after a pause the steps
 * are made one after the other, none is left out.
 */
const TABLE: Readonly<Record<SeasonStatus, Readonly<Record<SeasonEvent, SeasonAnswer>>>> = {
  pending: {
    start_reached: to("active"),
    end_reached: refuse("not_started"),
    distribution_reached: refuse("not_started"),
    all_claimable: refuse("not_started"),
    claim_window_over: refuse("not_started"),
    change: to("pending", "change_everything"),
  },
  active: {
    start_reached: to("active"),
    end_reached: to("snapshot", "freeze_points", "allocate_tokens", "publish_root"),
    distribution_reached: refuse("not_over"),
    all_claimable: refuse("not_over"),
    claim_window_over: refuse("not_over"),
    change: to("active", "change_label_end_pools_distribution"),
  },
  snapshot: {
    start_reached: to("snapshot"),
    end_reached: to("snapshot"),
    distribution_reached: to("distributing"),
    all_claimable: refuse("not_distributing"),
    claim_window_over: refuse("not_distributing"),
    change: to("snapshot", "change_label_distribution"),
  },
  distributing: {
    start_reached: to("distributing"),
    end_reached: to("distributing"),
    distribution_reached: to("distributing"),
    all_claimable: to("completed"),
    claim_window_over: to("completed"),
    change: to("distributing", "change_label"),
  },
  completed: {
    start_reached: to("completed"),
    end_reached: to("completed"),
    distribution_reached: to("completed"),
    all_claimable: to("completed"),
    claim_window_over: to("completed"),
    change: to("completed", "change_label"),
  },
};

export const answerSeasonEvent = (status: SeasonStatus, event: SeasonEvent): SeasonAnswer => TABLE[status][event];

/** What an admin may set or change. */
export type SeasonField =
  | "season_no"
  | "label"
  | "start_epoch"
  | "end_epoch"
  | "user_pool_tokens"
  | "mm_pool_tokens"
  | "distribution_at";

const CHANGEABLE: Readonly<Partial<Record<SeasonEffect, readonly SeasonField[]>>> = {
  change_everything: [
    "season_no",
    "label",
    "start_epoch",
    "end_epoch",
    "user_pool_tokens",
    "mm_pool_tokens",
    "distribution_at",
  ],
  change_label_end_pools_distribution: ["label", "end_epoch", "user_pool_tokens", "mm_pool_tokens", "distribution_at"],
  change_label_distribution: ["label", "distribution_at"],
  change_label: ["label"],
};

/** The fields that may still change in a status. */
export function changeableFields(status: SeasonStatus): readonly SeasonField[] {
  const answer = answerSeasonEvent(status, "change");
  return answer.kind === "move" ? answer.effects.flatMap((effect) => CHANGEABLE[effect] ?? []) : [];
}

/** The table for the documentation: a row per event, a column per status. */
export function renderSeasonTable(): string {
  const lines = [
    `| Event | ${SEASON_STATUSES.join(" | ")} |`,
    `|---|${SEASON_STATUSES.map(() => "---|").join("")}`,
    ...SEASON_EVENTS.map((event) => {
      const cells = SEASON_STATUSES.map((status) => renderAnswer(status, answerSeasonEvent(status, event)));
      return `| \`${event}\` | ${cells.join(" | ")} |`;
    }),
  ];
  return `${lines.join("\n")}\n`;
}

function renderAnswer(status: SeasonStatus, answer: SeasonAnswer): string {
  if (answer.kind === "refusal") return `refused: \`${answer.reason}\``;
  const effects = answer.effects.map((effect) => effect.replaceAll("_", " ")).join(", ");
  const next = answer.next === status ? "stays" : `→ ${answer.next}`;
  return effects === "" ? next : `${next}: ${effects}`;
}
