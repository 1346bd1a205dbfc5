import { type EventOf, notionalOf } from "@bourse/engine";
import { countedOf, type ProjectedBatch, ProjectionFault, type ProjectionListener } from "../../exchange/index.ts";
import type { Tx } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import type { Epochs } from "../epochs.ts";
import type { Inviters } from "../options.ts";
import { POINTS_BOOKS } from "../tables.ts";
import { fillPoints, ONE_e2 } from "./formulas.ts";
import { Scores } from "./scores.ts";
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

/** A resting order that another account has taken. */
const isMakerVolume = ({ isMaker, isSelfTrade }: EventOf<"fill">) => isMaker === 1 && isSelfTrade === 0;

function candidatesOf({ applied }: ProjectedBatch, epochs: Epochs): Candidate[] {
  const candidates: Candidate[] = [];
  for (const { events, time_ms } of applied) {
    if (time_ms < epochs.genesis_ms) continue;
    for (const event of events) {
      if (event.kind !== "fill") continue;
      const { counted_micros } = countedOf(event);
      if (counted_micros > 0 || isMakerVolume(event)) candidates.push({ fill: event, time_ms, counted_micros });
    }
  }
  return candidates;
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

/**
 * PTS-3: the projection that scores fills and their inviters' share. Each fill is scored once, by its id, in the
 * transaction that writes it.
 */
export function scoreFills({ epochs, inviters }: ScoreFillsOptions): ProjectionListener {
  return async (tx, batch) => {
    const candidates = candidatesOf(batch, epochs);
    if (candidates.length === 0) return;
    // Before the first read: no season is closed until this transaction ends.
    await lockInTransaction(tx, POINTS_BOOKS);
    const inviterOf = await invitersOf(tx, inviters, candidates);
    const facts = await readFacts(tx, {
      accounts: [...new Set(candidates.map(({ fill }) => fill.account))],
      addresses: [...new Set(inviterOf.values())],
      // Times in the log never decrease.
      firstEpoch: epochs.of(candidates[0]!.time_ms),
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
      if (isMakerVolume(fill)) scores.addMakerVolume(address, volumeOf(fill, batch.units_micros), time_ms);
    }
    await writeScores(tx, scores);
  };
}
