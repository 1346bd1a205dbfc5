import type { Command } from "../contract/commands.ts";
import type { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { CodecFault } from "./codec-fault.ts";
import { COMMAND_KINDS, COMMAND_TABLES } from "./command-fields.ts";
import { recordForm, type ValueForm } from "./field-table.ts";

/** The first byte of every command; any change of a command's form raises it. */
export const CODEC_VERSION = 1;

/** The form of one kind, typed as a form of all commands: the caller looks it up by the command's own kind. */
interface Entry {
  readonly number: number;
  readonly form: ValueForm<Command>;
}

const BY_KIND = new Map<string, Entry>(
  COMMAND_KINDS.map((kind) => {
    const { number, fields } = COMMAND_TABLES[kind];
    return [kind, { number, form: recordForm<object>(fields, { kind }) as ValueForm<Command> }];
  }),
);

const BY_NUMBER: readonly (ValueForm<Command> | undefined)[] = Array.from(
  { length: Math.max(...COMMAND_KINDS.map((kind) => COMMAND_TABLES[kind].number)) + 1 },
  (_, number) => [...BY_KIND.values()].find((entry) => entry.number === number)?.form,
);

/**
 * Appends a command. Numbers may be any finite ones, because a log may hold refused commands. A field that is missing,
 * of another type or not finite is a `CodecFault`, and nothing is appended.
 */
export function encodeCommand(command: Command, writer: ByteWriter): void {
  const entry = BY_KIND.get(command?.kind);
  if (entry === undefined) throw new CodecFault(`no command is called ${String(command?.kind)}`);
  const start = writer.length;
  try {
    writer.byte(CODEC_VERSION);
    writer.byte(entry.number);
    entry.form.write(writer, command);
  } catch (error) {
    writer.cutTo(start);
    throw error;
  }
}

/**
 * Reads one command; the caller, which framed it, checks that the reader is at its end afterwards. Bytes that
 * `encodeCommand` would not have written are a `CodecFault`.
 */
export function decodeCommand(reader: ByteReader): Command {
  const version = reader.byte();
  if (version !== CODEC_VERSION) {
    throw new CodecFault(`a command of codec version ${version}, this is version ${CODEC_VERSION}`);
  }
  const number = reader.byte();
  const form = BY_NUMBER[number];
  if (form === undefined) throw new CodecFault(`no kind of command has the number ${number}`);
  return form.read(reader);
}
