import type { MarginMode, MarketStatus } from "../contract/codes.ts";
import type { CloseExpiredBonus, ExpireBonus, OpenAccount } from "../contract/commands.ts";
import { readDefinition, writeDefinition } from "./definition-codec.ts";
import type { KindCodec, KindCodecs } from "./kind-codec.ts";

type MarketKind =
  | "set_leverage"
  | "set_margin_mode"
  | "move_isolated_margin"
  | "set_price"
  | "apply_funding"
  | "advance_time"
  | "add_market"
  | "set_market_status"
  | "open_account"
  | "expire_bonus"
  | "close_expired_bonus";

/** Settings, prices, funding and what exists: everything that is neither an order nor from the outside. */
export const MARKET_CODECS: KindCodecs<MarketKind> = {
  set_leverage: {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.account);
      writer.number(command.market);
      writer.number(command.leverage);
    },
    read: (reader) => ({
      kind: "set_leverage",
      time_ms: reader.number(),
      account: reader.number(),
      market: reader.number(),
      leverage: reader.number(),
    }),
  },
  set_margin_mode: {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.account);
      writer.number(command.market);
      writer.number(command.mode);
    },
    read: (reader) => ({
      kind: "set_margin_mode",
      time_ms: reader.number(),
      account: reader.number(),
      market: reader.number(),
      mode: reader.number() as MarginMode,
    }),
  },
  move_isolated_margin: {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.account);
      writer.number(command.market);
      writer.signed(command.amount_micros);
    },
    read: (reader) => ({
      kind: "move_isolated_margin",
      time_ms: reader.number(),
      account: reader.number(),
      market: reader.number(),
      amount_micros: reader.signed(),
    }),
  },
  set_price: {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.market);
      writer.number(command.indexTicks);
      writer.number(command.markTicks);
    },
    read: (reader) => ({
      kind: "set_price",
      time_ms: reader.number(),
      market: reader.number(),
      indexTicks: reader.number(),
      markTicks: reader.number(),
    }),
  },
  apply_funding: {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.market);
      writer.signed(command.rate_e8);
      writer.number(command.hour);
    },
    read: (reader) => ({
      kind: "apply_funding",
      time_ms: reader.number(),
      market: reader.number(),
      rate_e8: reader.signed(),
      hour: reader.number(),
    }),
  },
  advance_time: {
    write: (writer, command) => writer.number(command.time_ms),
    read: (reader) => ({ kind: "advance_time", time_ms: reader.number() }),
  },
  open_account: ofAccount((time_ms, account) => ({ kind: "open_account", time_ms, account })),
  expire_bonus: ofAccount((time_ms, account) => ({ kind: "expire_bonus", time_ms, account })),
  close_expired_bonus: ofAccount((time_ms, account) => ({ kind: "close_expired_bonus", time_ms, account })),
  add_market: {
    write(writer, command) {
      writer.number(command.time_ms);
      writeDefinition(writer, command.definition);
    },
    read: (reader) => ({ kind: "add_market", time_ms: reader.number(), definition: readDefinition(reader) }),
  },
  set_market_status: {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.market);
      writer.number(command.status);
    },
    read: (reader) => ({
      kind: "set_market_status",
      time_ms: reader.number(),
      market: reader.number(),
      status: reader.number() as MarketStatus,
    }),
  },
};

function ofAccount<Each extends OpenAccount | ExpireBonus | CloseExpiredBonus>(
  make: (time_ms: number, account: number) => Each,
): KindCodec<Each> {
  return {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.account);
    },
    read: (reader) => make(reader.number(), reader.number()),
  };
}
