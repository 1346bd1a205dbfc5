import type { Database, Tx } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import { dayNumberOf } from "../../kernel/dates.ts";
import type { EngineRequests } from "../../kernel/engine-requests/engine-requests.ts";
import type { JobDefinition, JobWindow } from "../../kernel/jobs/job.ts";
import { dayStart_ms, dayText, EARN_JOB, type Epochs } from "../epochs.ts";
import type { HeldPrincipal, PointsOptions } from "../options.ts";
import { POINTS_BOOKS } from "../tables.ts";
import { type EarnNote, earnNotes, type ScoredPosition } from "./earn-notes.ts";
import { earnPoints } from "./formulas.ts";
import { Scores, type ScoringFacts } from "./scores.ts";
import { type Facts, readFacts, scoredPositions, writeScores } from "./store.ts";

export interface EarnScoringOptions extends Pick<PointsOptions, "epochs" | "follower" | "inviters" | "principalsAt"> {
  readonly database: Pick<Database, "db">;
  readonly engineRequests: Pick<EngineRequests, "tellAll" | "isNoting">;
}

export interface EarnScored {
  readonly date: string;
  readonly positions: number;
  /** The number of these that already had their points of the day. */
  readonly scored_before: number;
  readonly lines: number;
}

/** PTS-3: scores earn positions at each UTC midnight, for the day that begins. */
export class EarnScoring {
  readonly #options: EarnScoringOptions;

  constructor(options: EarnScoringOptions) {
    this.#options = options;
  }

  /**
   * Scores the positions held at the midnight at which the day began, except those already scored. `atEnd` runs in the same
   * transaction.
   */
  async score(day: number, atEnd: (tx: Tx) => Promise<void>): Promise<EarnScored> {
    const { database, epochs, follower, principalsAt } = this.#options;
    const time_ms = dayStart_ms(day);
    const isBeforeGenesis = time_ms < epochs.genesis_ms;
    // Before the transaction: the chain is read, and its events are written in separate transactions.
    if (!isBeforeGenesis && !(await follower.isPast(time_ms))) {
      throw new Error(`the chain's events up to ${dayText(day)} 00:00 UTC are not all confirmed yet`);
    }
    return await database.db.transaction().execute(async (tx) => {
      const held = isBeforeGenesis ? [] : await principalsAt(tx, time_ms);
      const scored = await this.#scoreAll(tx, day, held);
      await atEnd(tx);
      return scored;
    });
  }

  async #scoreAll(tx: Tx, day: number, held: readonly HeldPrincipal[]): Promise<EarnScored> {
    const { epochs, inviters, engineRequests } = this.#options;
    const report = { date: dayText(day), positions: held.length };
    if (held.length === 0) return { ...report, scored_before: 0, lines: 0 };
    const addresses = [...new Set(held.map(({ address }) => address))];
    const inviterOf = await inviters.ofWallets(tx, addresses);
    // Fills wait from here on.
    await lockInTransaction(tx, POINTS_BOOKS);
    const ids = held.map(({ subscription_id }) => subscription_id);
    const before = await scoredPositions(tx, ids, day);
    const facts = await factsOf(tx, epochs, day, [...addresses, ...inviterOf.values()]);
    const positions = held.flatMap(({ subscription_id, address, principal_micros }): ScoredPosition[] => {
      if (before.has(subscription_id) || facts.makers.has(address)) return [];
      const inviter = inviterOf.get(address);
      const isScored = inviter !== undefined && !facts.makers.has(inviter);
      return [{ subscription_id, address, principal_micros, inviter: isScored ? inviter : undefined }];
    });
    const lines = await scorePositions(tx, epochs, day, facts, positions);
    if (engineRequests.isNoting) await engineRequests.tellAll(tx, earnNotes(day, facts.rule, positions));
    return { ...report, scored_before: before.size, lines };
  }
}

const factsOf = (tx: Tx, epochs: Epochs, day: number, addresses: readonly string[]): Promise<Facts> => {
  const epoch = epochs.ofDay(day);
  return readFacts(tx, { accounts: [], addresses: [...new Set(addresses)], firstEpoch: epoch, lastEpoch: epoch });
};

/** Writes the lines of positions, and returns their number. */
async function scorePositions(
  tx: Tx,
  epochs: Epochs,
  day: number,
  facts: ScoringFacts,
  positions: readonly ScoredPosition[],
): Promise<number> {
  const scores = new Scores(epochs, facts);
  for (const { subscription_id, address, inviter, principal_micros } of positions) {
    scores.add({
      source: "earn",
      address,
      inviter,
      points_micros: earnPoints(facts.rule, principal_micros),
      base_micros: principal_micros,
      time_ms: dayStart_ms(day),
      origin: { subscription_id },
    });
  }
  await writeScores(tx, scores);
  return scores.lines.length;
}

/** LOG-3: writes the lines that the log has a note of and the tables lack. Returns their number. */
export async function restoreEarn(tx: Tx, epochs: Epochs, { day, rule, positions }: EarnNote): Promise<number> {
  const ids = positions.map(({ subscription_id }) => subscription_id);
  const before = await scoredPositions(tx, ids, day);
  const { seasons } = await factsOf(tx, epochs, day, []);
  const missing = positions.filter(({ subscription_id }) => !before.has(subscription_id));
  return await scorePositions(tx, epochs, day, { rule, seasons, makers: new Set() }, missing);
}

/** Each midnight is scored separately, however late. A manual run scores the current day's. */
export const earnJob = (earn: EarnScoring): JobDefinition => ({
  name: EARN_JOB,
  schedule: "0 0 * * *",
  missed: "each",
  run: (window: JobWindow) => earn.score(dayNumberOf(window.due_ms), (tx) => window.moveWatermark(tx)),
});
