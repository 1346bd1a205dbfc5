import type {
  Deposit,
  ExternalCommand,
  FreezeBonus,
  HoldWithdrawal,
  PayOut,
  RecallBonus,
  ReturnPayout,
  SeedFund,
  UnfreezeBonus,
} from "../contract/commands.ts";
import type { KindCodec, KindCodecs } from "./kind-codec.ts";

/** Commands from the outside world: each carries its number. */
export const EXTERNAL_CODECS: KindCodecs<ExternalCommand["kind"]> = {
  deposit: accountAmount((time_ms, number, account, amount_micros) => ({
    kind: "deposit",
    time_ms,
    number,
    account,
    amount_micros,
  })),
  hold_withdrawal: accountAmount((time_ms, number, account, amount_micros) => ({
    kind: "hold_withdrawal",
    time_ms,
    number,
    account,
    amount_micros,
  })),
  settle_withdrawal: {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.number);
      writer.number(command.account);
      writer.number(command.amount_micros);
      writer.flag(command.isDone);
    },
    read: (reader) => ({
      kind: "settle_withdrawal",
      time_ms: reader.number(),
      number: reader.number(),
      account: reader.number(),
      amount_micros: reader.number(),
      isDone: reader.flag(),
    }),
  },
  grant_bonus: {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.number);
      writer.number(command.account);
      writer.number(command.amount_micros);
      writer.number(command.maxLeverage);
      writer.number(command.expires_ms);
    },
    read: (reader) => ({
      kind: "grant_bonus",
      time_ms: reader.number(),
      number: reader.number(),
      account: reader.number(),
      amount_micros: reader.number(),
      maxLeverage: reader.number(),
      expires_ms: reader.number(),
    }),
  },
  freeze_bonus: bare((time_ms, number, account) => ({ kind: "freeze_bonus", time_ms, number, account })),
  unfreeze_bonus: bare((time_ms, number, account) => ({ kind: "unfreeze_bonus", time_ms, number, account })),
  recall_bonus: bare((time_ms, number, account) => ({ kind: "recall_bonus", time_ms, number, account })),
  set_terms: {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.number);
      writer.number(command.account);
      writer.number(command.version);
    },
    read: (reader) => ({
      kind: "set_terms",
      time_ms: reader.number(),
      number: reader.number(),
      account: reader.number(),
      version: reader.number(),
    }),
  },
  follow_terms: {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.number);
      writer.number(command.account);
      writer.number(command.leader);
    },
    read: (reader) => ({
      kind: "follow_terms",
      time_ms: reader.number(),
      number: reader.number(),
      account: reader.number(),
      leader: reader.number(),
    }),
  },
  set_discount: {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.number);
      writer.number(command.account);
      writer.number(command.discount_bps);
    },
    read: (reader) => ({
      kind: "set_discount",
      time_ms: reader.number(),
      number: reader.number(),
      account: reader.number(),
      discount_bps: reader.number(),
    }),
  },
  seed_fund: amount((time_ms, number, amount_micros) => ({ kind: "seed_fund", time_ms, number, amount_micros })),
  pay_out: amount((time_ms, number, amount_micros) => ({ kind: "pay_out", time_ms, number, amount_micros })),
  return_payout: amount((time_ms, number, amount_micros) => ({
    kind: "return_payout",
    time_ms,
    number,
    amount_micros,
  })),
};

function bare<Each extends FreezeBonus | UnfreezeBonus | RecallBonus>(
  make: (time_ms: number, number: number, account: number) => Each,
): KindCodec<Each> {
  return {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.number);
      writer.number(command.account);
    },
    read: (reader) => make(reader.number(), reader.number(), reader.number()),
  };
}

function amount<Each extends SeedFund | PayOut | ReturnPayout>(
  make: (time_ms: number, number: number, amount_micros: number) => Each,
): KindCodec<Each> {
  return {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.number);
      writer.number(command.amount_micros);
    },
    read: (reader) => make(reader.number(), reader.number(), reader.number()),
  };
}

function accountAmount<Each extends Deposit | HoldWithdrawal>(
  make: (time_ms: number, number: number, account: number, amount_micros: number) => Each,
): KindCodec<Each> {
  return {
    write(writer, command) {
      writer.number(command.time_ms);
      writer.number(command.number);
      writer.number(command.account);
      writer.number(command.amount_micros);
    },
    read: (reader) => make(reader.number(), reader.number(), reader.number(), reader.number()),
  };
}
