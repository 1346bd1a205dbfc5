import type { Command } from "../contract/commands.ts";
import type { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { CodecFault } from "./codec-fault.ts";
import { EXTERNAL_CODECS } from "./external-codecs.ts";
import type { CommandKind, KindCodec } from "./kind-codec.ts";
import { MARKET_CODECS } from "./market-codecs.ts";
import { ORDER_CODECS } from "./order-codecs.ts";

/** Stands before every command; a change of the form of any of them raises it. */
export const CODEC_VERSION = 1;

const CODECS = { ...ORDER_CODECS, ...MARKET_CODECS, ...EXTERNAL_CODECS };

/** What stands for a kind. Logs outlive programs: a number never changes its meaning, new kinds get new numbers. */
const KIND_NUMBERS: { readonly [Kind in CommandKind]: number } = {
  place_order: 1,
  cancel_order: 2,
  modify_order: 3,
  cancel_all: 4,
  place_conditional: 5,
  set_leverage: 6,
  set_margin_mode: 7,
  move_isolated_margin: 8,
  set_price: 9,
  apply_funding: 10,
  advance_time: 11,
  open_account: 12,
  add_market: 13,
  set_market_status: 14,
  expire_bonus: 15,
  close_expired_bonus: 16,
  deposit: 17,
  hold_withdrawal: 18,
  settle_withdrawal: 19,
  grant_bonus: 20,
  freeze_bonus: 21,
  unfreeze_bonus: 22,
  recall_bonus: 23,
  set_terms: 24,
  set_discount: 25,
  seed_fund: 26,
  pay_out: 27,
  return_payout: 28,
  follow_terms: 29,
};

export const COMMAND_KINDS = Object.keys(KIND_NUMBERS) as readonly CommandKind[];

/** A kind's codec seen as one of all commands: whoever calls has looked it up by the command's own kind. */
interface Entry {
  readonly number: number;
  readonly codec: KindCodec<Command>;
}

const BY_KIND = new Map<string, Entry>(
  COMMAND_KINDS.map((kind) => [
    kind,
    { number: KIND_NUMBERS[kind], codec: CODECS[kind] as unknown as KindCodec<Command> },
  ]),
);

const BY_NUMBER: readonly (KindCodec<Command> | undefined)[] = Array.from(
  { length: Math.max(...Object.values(KIND_NUMBERS)) + 1 },
  (_, number) => [...BY_KIND.values()].find((entry) => entry.number === number)?.codec,
);

/**
 * Appends a command. Numbers may be any finite ones, since a log may hold commands that were refused; a field that is
 * missing, of another type or not finite is a `CodecFault`, and nothing is appended.
 */
export function encodeCommand(command: Command, writer: ByteWriter): void {
  const entry = BY_KIND.get(command?.kind);
  if (entry === undefined) throw new CodecFault(`no command is called ${String(command?.kind)}`);
  const start = writer.length;
  try {
    writer.byte(CODEC_VERSION);
    writer.byte(entry.number);
    entry.codec.write(writer, command);
  } catch (error) {
    writer.cutTo(start);
    throw error;
  }
}

/**
 * Reads one command; whoever has framed it sees whether the reader is at its end afterwards. Bytes that `encodeCommand`
 * would not have written are a `CodecFault`.
 */
export function decodeCommand(reader: ByteReader): Command {
  const version = reader.byte();
  if (version !== CODEC_VERSION) {
    throw new CodecFault(`a command of codec version ${version}, this is version ${CODEC_VERSION}`);
  }
  const number = reader.byte();
  const codec = BY_NUMBER[number];
  if (codec === undefined) throw new CodecFault(`no kind of command has the number ${number}`);
  return codec.read(reader);
}
