import { Worker } from "node:worker_threads";
import { type Engine, NO_ACCOUNT_YET, readAccount, readPositions, readSnapshot, writeSnapshot } from "@bourse/engine";
import { listSegments } from "../../kernel/journal/segments.ts";
import { replaySegments } from "./replay.ts";
import { engineFromNewest, listSnapshots } from "./snapshots.ts";

export interface RehearsalRequest {
  readonly folder: string;
  /** `BACKUP_DIR`. */
  readonly archive?: string | undefined;
  /** The last command to replay; durable already. */
  readonly number: number;
  readonly version: number;
  /** Commands before this time are replayed by the old rules only. */
  readonly since_ms: number;
}

/** What an account would have, in USDT micros: its wallets and its positions at the mark price. */
export interface AccountDifference {
  /** 0 is the insurance fund. */
  readonly account: number;
  readonly now_micros: number;
  readonly rehearsed_micros: number;
}

export interface Rehearsal {
  /** The first command that was applied by the new rules, and how many there were. */
  readonly fromNumber: number;
  readonly commands: number;
  readonly since_ms: number;
  readonly differences: readonly AccountDifference[];
  readonly feeAccount: { readonly now_micros: number; readonly rehearsed_micros: number };
}

/**
 * LOG-5: the last day of the log once by its own rules and once by those of a later version, both from the same state. What
 * people would have done under other rules it cannot know: the commands are the same.
 */
export function rehearseRules(request: RehearsalRequest): Rehearsal {
  const { folder, number, version, since_ms } = request;
  const live = engineBefore(request);
  let rehearsed: Engine | undefined;
  let fromNumber = live.state.commandNumber + 1;
  const begin = () => {
    rehearsed = readSnapshot(writeSnapshot(live.state));
    rehearsed.state.rulesVersion = Math.max(rehearsed.state.rulesVersion, version);
    fromNumber = live.state.commandNumber + 1;
  };
  const begun_ms = Math.max(since_ms, live.state.time_ms);
  for (const command of replaySegments(folder, live, number)) {
    rehearsed?.apply(command);
    if (rehearsed === undefined && live.state.time_ms >= since_ms) begin();
  }
  if (rehearsed === undefined) begin();
  return {
    fromNumber,
    commands: Math.max(0, number + 1 - fromNumber),
    since_ms: begun_ms,
    differences: differencesOf(live, rehearsed!),
    feeAccount: {
      now_micros: live.state.totals.feeAccount_micros,
      rehearsed_micros: rehearsed!.state.totals.feeAccount_micros,
    },
  };
}

/**
 * From the newest snapshot that is old enough, so that as much of the window as the log has is replayed; of a log whose beginning was
 * removed (LOG-8), from the oldest that the log continues. `BACKUP_DIR` has snapshots that the data folder no longer has.
 */
function engineBefore({ folder, archive, number, since_ms }: RehearsalRequest): Engine {
  const first = listSegments(folder)[0]?.firstNumber ?? 1;
  const places = [folder, ...(archive === undefined ? [] : [archive])].flatMap((place) =>
    listSnapshots(place).map((snapshot) => ({ place, number: snapshot.number })),
  );
  const usable = places
    .filter((snapshot) => snapshot.number <= number && snapshot.number + 1 >= first)
    .sort((a, b) => a.number - b.number);
  const engineOf = ({ place, number: seen }: { place: string; number: number }) =>
    engineFromNewest(place, seen, () => {});
  // Time rises with the number: the snapshots before `low` are old enough, those from `high` on are not.
  let [low, high] = [0, usable.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (engineOf(usable[middle]!).state.time_ms <= since_ms) low = middle + 1;
    else high = middle;
  }
  const chosen = usable[low - 1] ?? (first === 1 ? undefined : usable[0]);
  return chosen === undefined ? engineFromNewest(folder, 0, () => {}) : engineOf(chosen);
}

function differencesOf(live: Engine, rehearsed: Engine): AccountDifference[] {
  const differences: AccountDifference[] = [];
  for (let account = NO_ACCOUNT_YET; account <= live.state.accounts.count; account += 1) {
    const now_micros = worthOf(live, account);
    const rehearsed_micros = worthOf(rehearsed, account);
    if (now_micros !== rehearsed_micros) differences.push({ account, now_micros, rehearsed_micros });
  }
  return differences;
}

function worthOf(engine: Engine, account: number): number {
  if (account > engine.state.accounts.count) return 0;
  if (account === NO_ACCOUNT_YET) return engine.state.accounts.principal(account);
  const { crossWallet_micros, isolatedWallet_micros, unrealised_micros } = readAccount(
    engine,
    account,
    readPositions(engine, account),
  );
  return crossWallet_micros + isolatedWallet_micros + unrealised_micros + engine.state.accounts.inFlight(account);
}

/** The same in a thread of its own: trading goes on. */
export function rehearseAside(request: RehearsalRequest): Promise<Rehearsal> {
  const worker = new Worker(new URL("./rehearse-worker.ts", import.meta.url), {
    workerData: request,
    name: "rehearsal",
  });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the rehearsal ended without a result")));
  });
}
