import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Owner } from "./cleanup.ts";
import { makeTempDir } from "./files.ts";
import { waitFor } from "./waiting.ts";

const PRELOAD = new URL("../system/fixtures/disk-faults.ts", import.meta.url);
const LOADED = { NODE_OPTIONS: `--import=${PRELOAD.href}` };

/** The environment of a server whose disk needs `slow_ms` longer for every sync. */
export const slowDisk = (slow_ms: number) => ({ ...LOADED, DISK_SLOW_MS: String(slow_ms) });

/** A disk that fails under the journal at the record that contains a given text. */
export class DiskFault {
  readonly #folder: string;
  readonly env: Readonly<Record<string, string>>;

  private constructor(folder: string, kind: "sync" | "write", text: string) {
    this.#folder = folder;
    this.env = { ...LOADED, DISK_FAULT: kind, DISK_FAULT_TEXT: text, DISK_FAULT_FOLDER: folder };
  }

  static async plan(owner: Owner, kind: "sync" | "write", text: string): Promise<DiskFault> {
    return new DiskFault(await makeTempDir(owner), kind, text);
  }

  /** Resolves when the call that will fail has begun. */
  async reached(): Promise<void> {
    await waitFor(() => this.#read("reached"), { what: "the disk to be asked for what it cannot do", interval_ms: 10 });
  }

  /** Makes that call fail. */
  letFail(): Promise<void> {
    return writeFile(join(this.#folder, "go"), "");
  }

  /** The codes of all calls that have failed, in order. */
  async failures(): Promise<string[]> {
    return ((await this.#read("failures")) ?? "").trim().split("\n");
  }

  async #read(name: string): Promise<string | undefined> {
    try {
      return await readFile(join(this.#folder, name), "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    }
  }
}
