import { bonusPart } from "../bonus/index.ts";
import { brokerPart } from "../broker/index.ts";
import { systemClock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import { takeUpAnew } from "../kernel/engine-requests/take-up.ts";
import { count } from "../kernel/progress.ts";
import { createPointsPart, type Epochs } from "../points/index.ts";
import {
  isFitting,
  logOf,
  lostThings,
  type RebuildLog,
  type RebuildPart,
  rebuild,
  type Survey,
  survey,
  withWholeLog,
} from "../rebuild/index.ts";
import { referralPart } from "../referral/index.ts";
import { projectWallet, walletPart } from "../wallet/index.ts";
import { createProjections } from "./projections.ts";
import type { Opened } from "./roles/opened.ts";
import { openTables } from "./roles/tables.ts";

/** What modules restore of their own rows, in this order. */
const createParts = (epochs: Epochs): readonly RebuildPart[] => [
  walletPart,
  referralPart,
  bonusPart,
  brokerPart,
  createPointsPart(epochs),
];

export interface RebuildRequest {
  /** What only the lost database knew is given up. */
  readonly acceptsLoss: boolean;
  /** Only says what would be written. */
  readonly isDry: boolean;
}

/** LOG-3: writes what log and chain know into the database of a stopped exchange. Returns whether what was asked for is done. */
export async function rebuildDatabase(opened: Opened, request: RebuildRequest): Promise<boolean> {
  const { settings, say } = opened;
  const database = await openTables(opened, { migrates: true });
  try {
    return await withWholeLog(settings.dataDir, settings.backupDir, (folder) =>
      rebuildFrom(logOf(folder, say), database, opened, request),
    );
  } finally {
    await database.close();
  }
}

/** The same, with a log and a database that are open. */
export async function rebuildFrom(
  log: RebuildLog,
  database: Database,
  { settings, say }: Opened,
  { acceptsLoss, isDry }: RebuildRequest,
): Promise<boolean> {
  const found = await survey(database, log, say);
  for (const line of describe(found)) say(line);
  const isFit = isFitting(found);
  if (isFit && found.cursor === found.last) return true;
  if (isDry || !(isFit || acceptsLoss)) {
    say("Nothing was written.");
    if (!isDry) say("To give that up and to write what log and chain know: npm run rebuild -- --accept-loss");
    return isDry;
  }
  const { projections, epochs } = createProjections(settings);
  const parts = createParts(epochs);
  const options = { database, clock: systemClock, log, parts, say };
  const written = await rebuild({ ...options, projections: [projectWallet, ...projections] }, found);
  await takeUpAnew(database.db);
  for (const [what, rows] of written) if (rows > 0) say(`${what}: ${count(rows)} rows`);
  for (const part of parts) for (const line of (await part.findLosses?.(database.db)) ?? []) say(line);
  say(`The database fits the log up to command ${count(found.last)}. What the chain knows is read at the next start.`);
  return true;
}

function describe(found: Survey): string[] {
  const { cursor, last, requests, tail } = found;
  if (isFitting(found)) {
    return cursor === last
      ? [`The database has everything of the log, up to command ${count(last)}. There is nothing to write.`]
      : [
          `The database lacks rows of ${count(last - cursor)} commands, and nothing that a start would not write itself.`,
        ];
  }
  const { openings, moves, messages } = tail;
  const lines = [
    `The database has seen ${count(cursor)} of the log's ${count(last)} commands.`,
    `It lacks ${count(openings.length)} accounts and ${count(requests)} requests of the outside world (deposits, withdrawals, bonuses, terms …).`,
  ];
  if (messages.length > 0) {
    lines.push(
      `${count(messages.length)} of its own requests were waiting: those that the log lacks are sent at the next start.`,
    );
  }
  for (const { from, to } of moves) {
    lines.push(
      `The log has given numbers otherwise: the wallet to which the database gave account ${from} has account ${to}.`,
    );
  }
  const since = cursor === 0 ? "Lost with the database" : "Lost, as far as it is newer than this database";
  return [...lines, `${since}, because only it knew them:`, ...lostThings().map((thing) => `  - ${thing}`)];
}
