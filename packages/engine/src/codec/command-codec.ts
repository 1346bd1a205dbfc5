import type { Command, OutsideStamp } from "../contract/commands.ts";
import { isApplicableRulesVersion, NEXT_RULES } from "../rules/version.ts";
import { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { CodecFault } from "./codec-fault.ts";
import { COMMAND_KINDS, COMMAND_TABLES } from "./command-fields.ts";
import { recordForm, type ValueForm } from "./field-table.ts";

/** A command without the stamp of the outside world. Stands before the command, as does each of the following. */
export const PLAIN_VERSION = 1;
/** A command, then its stamp (LOG-1). */
export const STAMPED_VERSION = 2;
/** A disclosure, then the record that it belongs to, which is public without it. */
const DISCLOSED_VERSION = 3;

/** A kind's form seen as one of all commands: the caller looks it up by the command's own kind. */
interface Entry {
  readonly number: number;
  readonly form: ValueForm<Command>;
  /** Whether the number of the outside world is one of its own fields; else it is part of the stamp. */
  readonly isNumbered: boolean;
}

const BY_KIND = new Map<string, Entry>(
  COMMAND_KINDS.map((kind) => {
    const { number, fields } = COMMAND_TABLES[kind];
    const form = recordForm<object>(fields, { kind }) as ValueForm<Command>;
    return [kind, { number, form, isNumbered: "number" in fields }];
  }),
);

const BY_NUMBER: readonly (Entry | undefined)[] = Array.from(
  { length: Math.max(...COMMAND_KINDS.map((kind) => COMMAND_TABLES[kind].number)) + 1 },
  (_, number) => [...BY_KIND.values()].find((entry) => entry.number === number),
);

type Stamped = OutsideStamp & { readonly number?: number };

/**
 * Appends a command. Numbers may be any finite ones, because a log may hold refused commands. A field that is missing,
 * of another type or not finite is a `CodecFault`, and nothing is appended.
 */
export function encodeCommand(command: Command, writer: ByteWriter): void {
  const entry = BY_KIND.get(command?.kind);
  if (entry === undefined) throw new CodecFault(`no command is called ${String(command?.kind)}`);
  assertKnownRules(command);
  const start = writer.length;
  const { reference, disclosure } = command;
  try {
    if (disclosure !== undefined) {
      writer.byte(DISCLOSED_VERSION);
      writer.text(disclosure);
    }
    writer.byte(reference === undefined ? PLAIN_VERSION : STAMPED_VERSION);
    writer.byte(entry.number);
    entry.form.write(writer, command);
    if (reference !== undefined) writeStamp(command, reference, entry, writer);
  } catch (error) {
    writer.cutTo(start);
    throw error;
  }
}

function writeStamp(command: Stamped, reference: string, { isNumbered }: Entry, writer: ByteWriter): void {
  if (!isNumbered) writer.number(command.number ?? 0);
  writer.text(reference);
  writer.text(command.details ?? "");
  writer.text(command.commitment ?? "");
}

/**
 * Reads one command; the caller, which framed it, checks that the reader is at its end afterwards. Bytes that
 * `encodeCommand` would not have written are a `CodecFault`.
 */
export function decodeCommand(reader: ByteReader): Command {
  const version = reader.byte();
  if (version === PLAIN_VERSION) return decodePlain(reader);
  if (version === STAMPED_VERSION) return decodeStamped(reader);
  if (version !== DISCLOSED_VERSION) {
    throw new CodecFault(
      `a command of codec version ${version}, this release reads up to version ${DISCLOSED_VERSION}`,
    );
  }
  const disclosure = reader.text();
  const inner = reader.byte();
  if (inner === PLAIN_VERSION) return { ...decodePlain(reader), disclosure };
  if (inner === STAMPED_VERSION) return { ...decodeStamped(reader), disclosure };
  throw new CodecFault(`a disclosure of a command of codec version ${inner}`);
}

export const hasDisclosure = (record: Uint8Array): boolean => record[0] === DISCLOSED_VERSION;

/** How many bytes at the beginning of a record are its disclosure; the rest is the same command without it. */
export function disclosureLength(record: Uint8Array): number {
  if (!hasDisclosure(record)) return 0;
  const reader = new ByteReader(record);
  reader.byte();
  reader.text();
  return record.length - reader.remaining;
}

function decodePlain(reader: ByteReader): Command {
  const command = entryOf(reader).form.read(reader);
  assertKnownRules(command);
  return command;
}

function decodeStamped(reader: ByteReader): Command {
  const { form, isNumbered } = entryOf(reader);
  const command = form.read(reader);
  assertKnownRules(command);
  const number = isNumbered ? 0 : reader.number();
  const reference = reader.text();
  const details = reader.text();
  const commitment = reader.text();
  return {
    ...command,
    ...(number === 0 ? {} : { number }),
    reference,
    ...(details === "" ? {} : { details }),
    ...(commitment === "" ? {} : { commitment }),
  };
}

function entryOf(reader: ByteReader): Entry {
  const number = reader.byte();
  const entry = BY_NUMBER[number];
  if (entry === undefined) throw new CodecFault(`no kind of command has the number ${number}`);
  return entry;
}

/** LOG-5: what a later release does from there on cannot be known here, so nothing of it is logged or replayed. */
function assertKnownRules(command: Command): void {
  if (command.kind !== "set_rules_version" || isApplicableRulesVersion(command.version)) return;
  throw new CodecFault(`a command asks for rules version ${command.version}, this release knows up to ${NEXT_RULES}`);
}
