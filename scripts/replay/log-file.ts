import { closeSync, openSync, writeFileSync } from "node:fs";
import { ChainedFraming } from "../../apps/server/src/kernel/journal/framing.ts";
import { LogBuffer } from "../../apps/server/src/kernel/journal/log-buffer.ts";
import { writeHeader } from "../../apps/server/src/kernel/journal/log-format.ts";
import {
  ByteWriter,
  type Command,
  DIGEST_bytes,
  encodeCommand,
  NEWEST_RULES,
} from "../../packages/engine/src/index.ts";

/** Small enough that a file cut short loses little. */
const FRAME_bytes = 4_096;

/** Creates a new file; an existing one is not changed. */
export class LogWriter {
  readonly #file: number;
  readonly #framing = new ChainedFraming(Buffer.alloc(DIGEST_bytes));
  readonly #command = new ByteWriter();
  readonly #frame = new LogBuffer();
  #records: Uint8Array[] = [];
  #length_bytes = 0;
  #nextNumber: number;

  constructor(path: string, firstNumber = 1) {
    this.#file = openSync(path, "wx");
    this.#nextNumber = firstNumber;
    writeFileSync(this.#file, writeHeader({ firstNumber, rulesVersion: NEWEST_RULES, chain: this.#framing.chain }));
  }

  append(command: Command): void {
    this.#command.clear();
    encodeCommand(command, this.#command);
    this.#records.push(this.#command.bytes.slice());
    this.#length_bytes += this.#command.length;
    if (this.#length_bytes >= FRAME_bytes) this.#flush();
  }

  close(): void {
    try {
      this.#flush();
    } finally {
      closeSync(this.#file);
    }
  }

  #flush(): void {
    if (this.#records.length === 0) return;
    this.#frame.clear();
    this.#framing.write(this.#frame, this.#records, this.#nextNumber);
    writeFileSync(this.#file, this.#frame.bytes);
    this.#nextNumber += this.#records.length;
    this.#records = [];
    this.#length_bytes = 0;
  }
}
