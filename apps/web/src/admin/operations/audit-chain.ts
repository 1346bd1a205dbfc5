import type { AuditEntry } from "@bourse/api/client";
import { sha256Hex } from "../frame/sha256.ts";

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** One text for one value: keys sorted by code units, no spaces. What the server hashes (SEC-8). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isPlain(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}

/** SHA-256 of every field but the hash itself, that of the entry before included. */
export function hashOfEntry({ hash: _, seq, ...fields }: AuditEntry): Promise<string> {
  return sha256Hex(canonicalJson({ ...fields, seq: String(seq) }));
}

export interface ChainCheck {
  readonly checked: number;
  /** Pairs of neighbouring entries that were compared. */
  readonly links: number;
  /** The first entry that does not fit, from the newest on. */
  readonly problem: { readonly seq: number; readonly words: string } | undefined;
}

/** Entries as they are listed: newest first. Where a filter leaves gaps, only the contents are checked there. */
export async function checkChain(entries: readonly AuditEntry[]): Promise<ChainCheck> {
  let links = 0;
  for (const [at, entry] of entries.entries()) {
    const { seq } = entry;
    if ((await hashOfEntry(entry)) !== entry.hash) {
      return { checked: at, links, problem: { seq, words: "its content does not match its hash" } };
    }
    const older = entries[at + 1];
    if (older === undefined || older.seq !== seq - 1) continue;
    if (entry.prev_hash !== older.hash) {
      return { checked: at, links, problem: { seq, words: "it does not link to the previous entry" } };
    }
    links += 1;
  }
  return { checked: entries.length, links, problem: undefined };
}
