import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { NEWEST_RULES, OLDEST_RULES } from "@bourse/engine";
import { BackupFault, codeOf } from "./fault.ts";

export const MANIFEST = "manifest.json";
export const FORMAT = 1;
/** PostgreSQL's own dump; the embedded database is a folder. */
export const DUMP = "database.dump";
export const DATABASE_FOLDER = "database";
export const SECRETS = "development-secrets.json";

export interface Part {
  /** From the backup's folder, with slashes. */
  readonly path: string;
  readonly size_bytes: number;
  readonly sha256: string;
}

/** What a backup says about itself. */
export interface Manifest {
  readonly format: number;
  readonly release: string;
  readonly made_at: string;
  readonly rules_version: number;
  /** The last command of the log. */
  readonly command_number: number;
  /** The engine's state after it, and the last outbox number that it has applied. */
  readonly state_hash: string;
  readonly external_number: number;
  /** The log's chain after it; null where the log is not chained yet. */
  readonly log_chain: string | null;
  readonly database: {
    readonly kind: "embedded" | "postgresql";
    /** The projector's cursor. */
    readonly command_number: number;
    /** The log may end with any command from this one on, and the database still fits. */
    readonly fits_from: number;
    /** Outbox messages up to this number have been numbered. */
    readonly outbox_number: number;
    readonly accounts: number;
    /** The chain's events are applied up to this block; null before the first. */
    readonly chain_block: number | null;
  };
  /** The last block of the embedded chain; null with an external one. */
  readonly chain_block: number | null;
  /** Empty folders of the embedded database, which needs them. */
  readonly folders: readonly string[];
  readonly parts: readonly Part[];
}

const textOf = (manifest: Manifest, sha256: string) => `${JSON.stringify({ ...manifest, sha256 }, null, 1)}\n`;
const digestOf = (manifest: Manifest) => createHash("sha256").update(JSON.stringify(manifest)).digest("hex");

/** Written last: a folder without a manifest is no backup. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const handle = await open(join(folder, MANIFEST), "wx");
  try {
    await handle.writeFile(textOf(manifest, digestOf(manifest)));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST);
  const text = textAt(folder, path);
  const damaged = new BackupFault(
    `${path} is damaged: take it from another copy of this backup, or use another backup`,
  );
  let read: Manifest & { sha256: string };
  try {
    read = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged;
    throw error;
  }
  if (typeof read !== "object" || read === null) throw damaged;
  const { sha256, ...manifest } = read;
  // The text is compared as well, so that no byte of it can differ.
  if (sha256 !== digestOf(manifest) || text !== textOf(manifest, sha256)) throw damaged;
  assertKnown(path, manifest);
  return manifest;
}

function textAt(folder: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "ENOTDIR") throw error;
    throw new BackupFault(`${folder} is no backup: it has no ${MANIFEST}. Name the folder that npm run backup wrote`);
  }
}

function assertKnown(path: string, { format, rules_version, release }: Manifest): void {
  const remedy = `use the release that wrote it (${release}), or a later one`;
  if (format !== FORMAT) throw new BackupFault(`${path} has format ${format}, this release knows ${FORMAT}: ${remedy}`);
  if (rules_version >= OLDEST_RULES && rules_version <= NEWEST_RULES) return;
  const known = `this release knows ${OLDEST_RULES} to ${NEWEST_RULES}`;
  throw new BackupFault(`${path} needs rules version ${rules_version}, ${known}: ${remedy}`);
}
