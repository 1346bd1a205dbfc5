import { type EventOf, notionalOf } from "@bourse/engine";
import { type Applied, countedOf, hasVolume, ProjectionFault, type ProjectionListener } from "../../exchange/index.ts";
import type { Tx } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import type { Epochs } from "../epochs.ts";
import type { Inviters } from "../options.ts";
import { POINTS_BOOKS } from "../tables.ts";
import { fillPoints, ONE_e2 } from "./formulas.ts";
import { Scores } from "./scores.ts";
import { applySetting, settingAt } from "./settings.ts";
import { type Facts, readFacts, writeScores } from "./store.ts";

export interface ScoreFillsOptions {
  readonly epochs: Epochs;
  readonly inviters: Inviters;
}

/** A fill that may give a line or maker volume. */
interface Candidate {
  readonly fill: EventOf<"fill">;
  readonly time_ms: number;
  readonly counted_micros: number;
}

/** A resting order that another account has taken, at a fair price. */
const isMakerVolume = (fill: EventOf<"fill">) => fill.isMaker === 1 && hasVolume(fill);

function addCandidates(candidates: Candidate[], { events, time_ms }: Applied, epochs: Epochs): void {
  if (time_ms < epochs.genesis_ms) return;
  for (const event of events) {
    if (event.kind !== "fill") continue;
    const { counted_micros } = countedOf(event);
    if (counted_micros > 0 || isMakerVolume(event)) candidates.push({ fill: event, time_ms, counted_micros });
  }
}

const keyOf = ({ account, termsVersion }: EventOf<"fill">) => `${account}:${termsVersion}`;

/** The inviters for fills with a countable fee. Terms version 0 has no inviter. */
async function invitersOf(tx: Tx, inviters: Inviters, candidates: readonly Candidate[]) {
  const asked = new Map<string, EventOf<"fill">>();
  for (const { fill, counted_micros } of candidates) {
    if (counted_micros > 0 && fill.termsVersion > 0) asked.set(keyOf(fill), fill);
  }
  if (asked.size === 0) return new Map<string, string>();
  const fills = [...asked.values()].map(({ account, termsVersion }) => ({ account, termsVersion }));
  return await inviters.ofFills(tx, fills);
}

function walletOf({ wallets }: Facts, account: number): string {
  const wallet = wallets.get(account);
  if (wallet === undefined) throw new ProjectionFault(`a fill of account ${account}, which has no wallet`);
  return wallet;
}

function volumeOf({ market, ticks, lots }: EventOf<"fill">, units_micros: ReadonlyMap<number, number>): number {
  const unit_micros = units_micros.get(market);
  if (unit_micros === undefined) throw new ProjectionFault(`a fill in market ${market}, which is unknown`);
  return notionalOf(ticks, lots, unit_micros);
}

/** Scores fills between which no setting changes. */
async function scoreAll(
  tx: Tx,
  { epochs, inviters }: ScoreFillsOptions,
  candidates: readonly Candidate[],
  units_micros: ReadonlyMap<number, number>,
): Promise<void> {
  const [first] = candidates;
  if (first === undefined) return;
  const inviterOf = await invitersOf(tx, inviters, candidates);
  const facts = await readFacts(tx, {
    accounts: [...new Set(candidates.map(({ fill }) => fill.account))],
    addresses: [...new Set(inviterOf.values())],
    // Times in the log never decrease.
    firstEpoch: epochs.of(first.time_ms),
    lastEpoch: epochs.of(candidates.at(-1)!.time_ms),
  });
  const scores = new Scores(epochs, facts);
  for (const { fill, time_ms, counted_micros } of candidates) {
    const { market, trade, side } = fill;
    const address = walletOf(facts, fill.account);
    const isMaker = fill.isMaker === 1;
    const boost_e2 = facts.boosts_e2.get(market) ?? ONE_e2;
    scores.add({
      source: "trade",
      address,
      inviter: inviterOf.get(keyOf(fill)),
      points_micros: fillPoints(facts.rule, { counted_micros, isMaker, boost_e2 }),
      base_micros: BigInt(counted_micros),
      time_ms,
      origin: { market, trade, side },
    });
    if (isMakerVolume(fill)) scores.addMakerVolume(address, volumeOf(fill, units_micros), time_ms);
  }
  await writeScores(tx, scores);
}

/**
 * PTS-3: the projection that scores fills and their inviters' share. Each fill is scored once, by its id, in the transaction that
 * writes it, by the rule and the market makers at its place in the log.
 */
export function scoreFills(options: ScoreFillsOptions): ProjectionListener {
  return async (tx, { applied, units_micros }) => {
    let candidates: Candidate[] = [];
    let isLocked = false;
    const lock = async () => {
      // Before the first read: no season is closed until this transaction ends.
      if (!isLocked) await lockInTransaction(tx, POINTS_BOOKS);
      isLocked = true;
    };
    for (const command of applied) {
      const setting = settingAt(command);
      if (setting === undefined) {
        addCandidates(candidates, command, options.epochs);
        continue;
      }
      await lock();
      await scoreAll(tx, options, candidates, units_micros);
      candidates = [];
      await applySetting(tx, setting, command);
    }
    if (candidates.length === 0) return;
    await lock();
    await scoreAll(tx, options, candidates, units_micros);
  };
}
