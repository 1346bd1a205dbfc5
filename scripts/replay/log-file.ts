import { closeSync, openSync, writeFileSync } from "node:fs";
import { LogBuffer } from "../../apps/server/src/kernel/journal/log-buffer.ts";
import { ByteWriter, type Command, encodeCommand } from "../../packages/engine/src/index.ts";

const PIECE_bytes = 1_048_576;

/** Creates a new file; an existing one is not changed. */
export class LogWriter {
  readonly #file: number;
  readonly #command = new ByteWriter();
  readonly #pending = new LogBuffer();

  constructor(path: string, firstNumber = 1) {
    this.#file = openSync(path, "wx");
    this.#pending.header(firstNumber);
  }

  append(command: Command): void {
    this.#command.clear();
    encodeCommand(command, this.#command);
    this.#pending.record(this.#command.bytes);
    if (this.#pending.length >= PIECE_bytes) this.#flush();
  }

  close(): void {
    try {
      this.#flush();
    } finally {
      closeSync(this.#file);
    }
  }

  #flush(): void {
    writeFileSync(this.#file, this.#pending.bytes);
    this.#pending.clear();
  }
}
