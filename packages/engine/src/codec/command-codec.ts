import type { Command, OrderTerms, OutsideStamp } from "../contract/commands.ts";
import { isApplicableRulesVersion, NEXT_RULES } from "../rules/version.ts";
import { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { CodecFault } from "./codec-fault.ts";
import { COMMAND_KINDS, COMMAND_TABLES, COMMANDS_WITH_TERMS } from "./command-fields.ts";
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
  /** The form of those with one of the terms of rules version 6. */
  readonly withTerms?: Entry;
  /** Whether a command is written in this form; undefined for the form of a kind that has no terms. */
  readonly isMeant?: (command: OrderTerms) => boolean;
}

interface Table extends Pick<Entry, "number" | "isMeant"> {
  readonly fields: object;
}

function entryFor(kind: string, { fields, ...table }: Table, withTerms?: Table): Entry {
  const form = recordForm<object>(fields, { kind }) as ValueForm<Command>;
  const entry = { ...table, form, isNumbered: "number" in fields };
  return withTerms === undefined ? entry : { ...entry, withTerms: entryFor(kind, withTerms) };
}

const LATER_TABLES: Readonly<Record<string, Table>> = COMMANDS_WITH_TERMS;

const BY_KIND = new Map<string, Entry>(
  COMMAND_KINDS.map((kind) => [kind, entryFor(kind, COMMAND_TABLES[kind], LATER_TABLES[kind])]),
);

const ENTRIES = [...BY_KIND.values()].flatMap((entry) =>
  entry.withTerms === undefined ? [entry] : [entry, entry.withTerms],
);
const BY_NUMBER: readonly (Entry | undefined)[] = Array.from(
  { length: Math.max(...ENTRIES.map(({ number }) => number)) + 1 },
  (_, number) => ENTRIES.find((entry) => entry.number === number),
);

type Stamped = OutsideStamp & { readonly number?: number };

/**
 * Appends a command. Numbers may be any finite ones, because a log may hold refused commands. A field that is missing,
 * of another type or not finite is a `CodecFault`, and nothing is appended.
 */
export function encodeCommand(command: Command, writer: ByteWriter): void {
  const plain = BY_KIND.get(command?.kind);
  if (plain === undefined) throw new CodecFault(`no command is called ${String(command?.kind)}`);
  const entry = plain.withTerms?.isMeant?.(command as OrderTerms) === true ? plain.withTerms : plain;
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
  return readCommand(entryOf(reader), reader);
}

function readCommand({ form, isMeant }: Entry, reader: ByteReader): Command {
  const command = form.read(reader);
  assertKnownRules(command);
  if (isMeant?.(command as OrderTerms) === false) {
    throw new CodecFault(`a ${command.kind} in the form of those with terms, without any`);
  }
  return command;
}

function decodeStamped(reader: ByteReader): Command {
  const entry = entryOf(reader);
  const command = readCommand(entry, reader);
  const number = entry.isNumbered ? 0 : reader.number();
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
