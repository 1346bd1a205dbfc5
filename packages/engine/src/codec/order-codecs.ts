import type {
  CancelScope,
  ConditionalType,
  OrderType,
  SelfTradePrevention,
  Side,
  TimeInForce,
  WorkingType,
} from "../contract/codes.ts";
import type { AttachedTrigger } from "../contract/commands.ts";
import type { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { CodecFault } from "./codec-fault.ts";
import type { KindCodecs } from "./kind-codec.ts";

type OrderKind = "place_order" | "place_conditional" | "cancel_order" | "cancel_all" | "modify_order";

/** Orders, conditional orders and their cancels: nearly everything that a journal holds. */
export const ORDER_CODECS: KindCodecs<OrderKind> = {
  place_order: {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.account);
      writer.number(command.market);
      writer.number(command.side);
      writer.number(command.type);
      writer.number(command.timeInForce);
      writer.number(command.ticks);
      writer.number(command.lots);
      writer.number(command.quote_micros);
      writer.flag(command.isReduceOnly);
      writer.number(command.selfTradePrevention);
      writer.text(command.clientId);
      writer.signed(command.maxSlippage_e8);
      writeAttached(writer, command.takeProfit);
      writeAttached(writer, command.stopLoss);
    },
    read: (reader) => ({
      kind: "place_order",
      time_ms: reader.number(),
      account: reader.number(),
      market: reader.number(),
      side: reader.number() as Side,
      type: reader.number() as OrderType,
      timeInForce: reader.number() as TimeInForce,
      ticks: reader.number(),
      lots: reader.number(),
      quote_micros: reader.number(),
      isReduceOnly: reader.flag(),
      selfTradePrevention: reader.number() as SelfTradePrevention,
      clientId: reader.text(),
      maxSlippage_e8: reader.signed(),
      takeProfit: readAttached(reader),
      stopLoss: readAttached(reader),
    }),
  },
  place_conditional: {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.account);
      writer.number(command.market);
      writer.number(command.side);
      writer.number(command.type);
      writer.number(command.ticks);
      writer.number(command.timeInForce);
      writer.number(command.lots);
      writer.number(command.triggerTicks);
      writer.number(command.activateTicks);
      writer.number(command.callback_bps);
      writer.number(command.workingType);
      writer.flag(command.isReduceOnly);
      writer.flag(command.isClosePosition);
      writer.flag(command.isPriceProtected);
      writer.flag(command.keepsId);
      writer.number(command.selfTradePrevention);
      writer.text(command.clientId);
    },
    read: (reader) => ({
      kind: "place_conditional",
      time_ms: reader.number(),
      account: reader.number(),
      market: reader.number(),
      side: reader.number() as Side,
      type: reader.number() as ConditionalType,
      ticks: reader.number(),
      timeInForce: reader.number() as TimeInForce,
      lots: reader.number(),
      triggerTicks: reader.number(),
      activateTicks: reader.number(),
      callback_bps: reader.number(),
      workingType: reader.number() as WorkingType,
      isReduceOnly: reader.flag(),
      isClosePosition: reader.flag(),
      isPriceProtected: reader.flag(),
      keepsId: reader.flag(),
      selfTradePrevention: reader.number() as SelfTradePrevention,
      clientId: reader.text(),
    }),
  },
  cancel_order: {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.account);
      writer.number(command.order);
      writer.text(command.clientId);
      writer.number(command.scope);
    },
    read: (reader) => ({
      kind: "cancel_order",
      time_ms: reader.number(),
      account: reader.number(),
      order: reader.number(),
      clientId: reader.text(),
      scope: reader.number() as CancelScope,
    }),
  },
  cancel_all: {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.account);
      writer.signed(command.market);
      writer.number(command.scope);
    },
    read: (reader) => ({
      kind: "cancel_all",
      time_ms: reader.number(),
      account: reader.number(),
      market: reader.signed(),
      scope: reader.number() as CancelScope,
    }),
  },
  modify_order: {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.account);
      writer.number(command.order);
      writer.text(command.clientId);
      writer.signed(command.side);
      writer.number(command.ticks);
      writer.number(command.lots);
    },
    read: (reader) => ({
      kind: "modify_order",
      time_ms: reader.number(),
      account: reader.number(),
      order: reader.number(),
      clientId: reader.text(),
      side: reader.signed() as Side | -1,
      ticks: reader.number(),
      lots: reader.number(),
    }),
  },
};

function writeAttached(writer: ByteWriter, trigger: AttachedTrigger | null): void {
  if (typeof trigger !== "object") throw new CodecFault(`${typeof trigger} instead of an attached trigger`);
  writer.flag(trigger !== null);
  if (trigger === null) return;
  writer.number(trigger.triggerTicks);
  writer.number(trigger.ticks);
  writer.number(trigger.workingType);
}

function readAttached(reader: ByteReader): AttachedTrigger | null {
  if (!reader.flag()) return null;
  return {
    triggerTicks: reader.number(),
    ticks: reader.number(),
    workingType: reader.number() as WorkingType,
  };
}
