import { cpSync, readdirSync, statSync, truncateSync } from "node:fs";
import { basename, join } from "node:path";
import type { Dice } from "../../../apps/server/src/chain/testing/dice.ts";
import type { JournalDisk } from "../../../apps/server/src/exchange/journal/recovery.ts";
import type { SegmentFile } from "../../../apps/server/src/kernel/journal/segments.ts";
import type { Faults } from "./faults.ts";
import type { Gate } from "./gate.ts";

/** How a planted bug may change the journal's files. */
export interface DiskBug {
  /** A sync that reports success without syncing. */
  readonly liesAboutSync?: boolean;
  /** Whether these bytes are dropped although they count as written. */
  forgets?(bytes: Uint8Array): boolean;
}

/**
 * The disk under the journal. A sync records how much a crash cannot remove; later writes may survive up to any byte.
 */
export class GatedDisk {
  readonly #gate: Gate;
  readonly #faults: Faults;
  readonly #bug: DiskBug | undefined;
  /** By file name. */
  readonly #synced_bytes = new Map<string, number>();
  readonly #files = new Set<SegmentFile>();

  constructor(gate: Gate, faults: Faults, bug: DiskBug | undefined) {
    this.#gate = gate;
    this.#faults = faults;
    this.#bug = bug;
  }

  readonly open: JournalDisk = (file, path) => {
    const name = basename(path);
    this.#synced_bytes.set(name, file.size_bytes);
    this.#files.add(file);
    return {
      get size_bytes() {
        return file.size_bytes;
      },
      append: async (bytes) => {
        await this.#gate.around("journal-write", () => this.#write(file, bytes));
        await this.#gate.around("journal-sync", () => this.#sync(name, file));
      },
      close: () => {
        this.#files.delete(file);
        return file.close();
      },
    };
  };

  /** Closes the files of a dead process. */
  async abandon(): Promise<void> {
    await Promise.allSettled([...this.#files].map((file) => file.close()));
    this.#files.clear();
  }

  /** Copies the data folder as a crash leaves it to another path. The dead process keeps the old one. */
  copyAfterCrash(from: string, to: string, dice: Dice): void {
    cpSync(from, to, { recursive: true });
    const journal = join(to, "journal");
    for (const name of readdirSync(journal).filter((each) => each.endsWith(".log"))) {
      const path = join(journal, name);
      const size_bytes = statSync(path).size;
      const synced_bytes = Math.min(size_bytes, this.#synced_bytes.get(name) ?? size_bytes);
      if (size_bytes > synced_bytes) truncateSync(path, dice.whole(synced_bytes, size_bytes));
    }
  }

  async #write(file: SegmentFile, bytes: Uint8Array): Promise<void> {
    if (this.#faults.take("write-fails")) throw failure("ENOSPC");
    if (this.#bug?.forgets?.(bytes) === true) return;
    await file.append(bytes);
  }

  async #sync(name: string, file: SegmentFile): Promise<void> {
    const { size_bytes } = file;
    if (this.#faults.take("sync-fails")) throw failure("EIO");
    if (this.#bug?.liesAboutSync === true) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#synced_bytes.set(name, size_bytes);
  }
}

const failure = (code: string) => Object.assign(new Error(`${code}: the disk refuses`), { code });
