import type { AdminPointsSeason, SeasonChangeRequest, SeasonRequest } from "@bourse/api";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { randomUuid } from "../../kernel/random.ts";
import { Refused } from "../../kernel/state-table.ts";
import type { Actor } from "../callers.ts";
import { type Notes, SEASONS } from "../noted.ts";
import type { PointsOptions } from "../options.ts";
import { refusals } from "../refusals.ts";
import { POINTS_BOOKS, type PointsTx, pointsDb, pointsTx } from "../tables.ts";
import { readNewSeason, readSeasonInput, type SeasonInput } from "./inputs.ts";
import type { SeasonMoments } from "./season-moments.ts";
import { listSeasons, lockSeason, noteSeason, rebuildSeasonTotals, type Season, writeSeason } from "./season-store.ts";
import { changeableFields, type SeasonField, seasonStates } from "./states.ts";
import { DISTRIBUTION_DELAY_ms, dueEvent } from "./timing.ts";
import { adminSeasonView } from "./views.ts";

export type SeasonAdminOptions = Pick<PointsOptions, "database" | "clock" | "random" | "audit" | "epochs"> & {
  readonly engineRequests: Notes;
  readonly moments: SeasonMoments;
};

/** A bound against typing errors in the year, which would hold the tokens back. */
const MAX_DELAY_ms = 365 * DAY_ms;

type Terms = Pick<Season, SeasonField | "snapshot_at">;

/** An admin's changes of seasons (PTS-2, PTS-6). */
export class SeasonAdmin {
  readonly #options: SeasonAdminOptions;

  constructor(options: SeasonAdminOptions) {
    this.#options = options;
  }

  async list(): Promise<AdminPointsSeason[]> {
    return (await listSeasons(pointsDb(this.#options.database))).map(adminSeasonView);
  }

  /** The season's totals begin with the points already scored in its epochs. */
  async create(request: SeasonRequest, actor: Actor): Promise<AdminPointsSeason> {
    const input = readNewSeason(request);
    return await this.#change(async (tx, now) => {
      const others = await listSeasons(tx);
      const snapshot_at = this.#endOf(input.end_epoch);
      const distribution_at = input.distribution_at ?? new Date(snapshot_at.getTime() + DISTRIBUTION_DELAY_ms);
      const season_no = input.season_no ?? Math.max(0, ...others.map((other) => other.season_no)) + 1;
      const terms: Terms = { ...input, season_no, snapshot_at, distribution_at };
      this.#assertRange(terms, now);
      assertDistribution(terms);
      assertFree(terms, others);
      const status = this.#statusAt({ ...terms, status: "pending" }, now);
      const stamps = { created_at: now, updated_at: now };
      const id = randomUuid(this.#options.random);
      const values = { ...terms, id, status, ...stamps };
      const season = await tx.insertInto("points_season").values(values).returningAll().executeTakeFirstOrThrow();
      await rebuildSeasonTotals(tx, season);
      const after = adminSeasonView(season);
      return { after, entry: { ...actor, action: "points.season.create", target: id, after } };
    });
  }

  async change(id: string, request: SeasonChangeRequest, actor: Actor): Promise<AdminPointsSeason> {
    const input = readSeasonInput(request);
    if (Object.keys(input).length === 0) throw refusals.invalidField("body", "must name something to change");
    return await this.#change(async (tx, now) => {
      const season = await lockSeason(tx, id);
      if (season === undefined) throw refusals.seasonNotFound();
      const terms = this.#changedTerms(season, input);
      const changed = changedFields(season, terms);
      assertChangeable(season, changed);
      const hasNewRange = changed.some((field) => field === "start_epoch" || field === "end_epoch");
      if (hasNewRange) this.#assertRange(terms, now);
      const hasNewDistribution = changed.includes("distribution_at");
      if (hasNewRange || hasNewDistribution) assertDistribution(terms);
      if (hasNewDistribution && season.status === "snapshot") assertNotPast(terms.distribution_at, now);
      const others = (await listSeasons(tx)).filter((other) => other.id !== id);
      assertFree(terms, others);
      const status = this.#statusAt({ ...terms, status: season.status }, now);
      const changedSeason = await writeSeason(tx, id, { ...terms, status, updated_at: now });
      if (hasNewRange || changed.includes("season_no")) await rebuildSeasonTotals(tx, changedSeason, season.season_no);
      const [before, after] = [adminSeasonView(season), adminSeasonView(changedSeason)];
      return { after, entry: { ...actor, action: "points.season.change", target: id, before, after } };
    });
  }

  /** Declares all tokens claimable. A completed season does not change. */
  async complete(id: string, actor: Actor): Promise<AdminPointsSeason> {
    return await this.#change(async (tx, now) => {
      const season = await lockSeason(tx, id);
      if (season === undefined) throw refusals.seasonNotFound();
      const before = adminSeasonView(season);
      const next = seasonStates.answer(season.status, "all_claimable");
      if (next instanceof Refused) {
        throw refusals.invalidState(season.status, `a season that is ${season.status} cannot be completed`);
      }
      if (next === season.status) return { after: before };
      const completed = await writeSeason(tx, id, { status: next, completed_at: now, updated_at: now });
      const after = adminSeasonView(completed);
      return { after, entry: { ...actor, action: "points.season.complete", target: id, before, after } };
    });
  }

  /** Serialised with scoring; the audit entry is written last. */
  async #change(
    action: (
      tx: PointsTx,
      now: Date,
    ) => Promise<{ after: AdminPointsSeason; entry?: Parameters<PointsOptions["audit"]["append"]>[1] }>,
  ): Promise<AdminPointsSeason> {
    const { database, clock, audit, moments, engineRequests } = this.#options;
    const changed = await database.db.transaction().execute(async (tx) => {
      await lockInTransaction(tx, SEASONS);
      await lockInTransaction(tx, POINTS_BOOKS);
      const { after, entry } = await action(pointsTx(tx), new Date(clock.now()));
      if (entry !== undefined) {
        await noteSeason(engineRequests, pointsTx(tx), after.season_id);
        await audit.append(tx, entry);
      }
      return after;
    });
    await moments.load();
    return changed;
  }

  #endOf(end_epoch: number): Date {
    return new Date(this.#options.epochs.end_ms(end_epoch));
  }

  /** The distribution time moves with the season's end unless the request sets it. */
  #changedTerms(season: Season, input: SeasonInput): Terms {
    const snapshot_at = input.end_epoch === undefined ? season.snapshot_at : this.#endOf(input.end_epoch);
    const moved_ms = snapshot_at.getTime() - season.snapshot_at.getTime();
    const distribution_at = new Date(season.distribution_at.getTime() + moved_ms);
    const { season_no, label, start_epoch, end_epoch, user_pool_tokens, mm_pool_tokens } = season;
    const before = { season_no, label, start_epoch, end_epoch, user_pool_tokens, mm_pool_tokens };
    return { ...before, snapshot_at, distribution_at, ...input };
  }

  #statusAt(season: Terms & Pick<Season, "status">, now: Date): Season["status"] {
    if (season.status !== "pending") return season.status;
    return dueEvent(this.#options.epochs, season, now.getTime()) === undefined ? "pending" : "active";
  }

  #assertRange({ start_epoch, end_epoch }: Terms, now: Date): void {
    if (end_epoch < start_epoch) throw refusals.invalidField("end_epoch", "must not be before start_epoch");
    const current = this.#options.epochs.of(now.getTime());
    if (end_epoch < current) throw refusals.invalidField("end_epoch", `must not be over: epoch ${current} is running`);
  }
}

function assertDistribution({ snapshot_at, distribution_at }: Terms): void {
  const delay_ms = distribution_at.getTime() - snapshot_at.getTime();
  if (delay_ms < 0) throw refusals.invalidField("distribution_at", "must not be before the end of the last epoch");
  if (delay_ms > MAX_DELAY_ms) {
    throw refusals.invalidField("distribution_at", "must be within a year after the end of the last epoch");
  }
}

function assertNotPast(distribution_at: Date, now: Date): void {
  if (distribution_at < now) throw refusals.invalidField("distribution_at", "must not lie in the past");
}

/** Refuses an epoch or a number that another season has. */
function assertFree({ start_epoch, end_epoch, season_no }: Terms, others: readonly Season[]): void {
  const overlapping = others.find((other) => other.start_epoch <= end_epoch && other.end_epoch >= start_epoch);
  if (overlapping !== undefined) throw refusals.seasonOverlaps(overlapping.label);
  const isTaken = others.some((other) => other.season_no === season_no);
  if (isTaken) throw refusals.seasonNumberTaken(season_no);
}

const FIELDS = changeableFields.pending;
const comparable = (value: Terms[SeasonField]) => (value instanceof Date ? value.getTime() : value);

/** The fields that differ; repeating a value is not a change. */
const changedFields = (season: Season, terms: Terms): readonly SeasonField[] =>
  FIELDS.filter((field) => comparable(season[field]) !== comparable(terms[field]));

function assertChangeable({ status }: Season, changed: readonly SeasonField[]): void {
  const fixed = changed.find((field) => !changeableFields[status].includes(field));
  if (fixed === undefined) return;
  throw refusals.invalidState(status, `${fixed} cannot be changed in a season that is ${status}`);
}
