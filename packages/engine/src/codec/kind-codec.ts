import type { Command } from "../contract/commands.ts";
import type { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";

export type CommandKind = Command["kind"];

/** How the commands of one kind are written. Codes and numbers are written as they come: a log may hold refused ones. */
export interface KindCodec<Each extends Command> {
  write(writer: ByteWriter, command: Each): void;
  /** Fields in the order in which `write` has them. */
  read(reader: ByteReader): Each;
}

export type KindCodecs<Kind extends CommandKind> = {
  readonly [Each in Kind]: KindCodec<Extract<Command, { readonly kind: Each }>>;
};
