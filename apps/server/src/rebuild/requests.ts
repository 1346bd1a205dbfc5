import { type Command, disclosureOf, type OutsideStamp } from "@bourse/engine";
import type { Applied } from "../exchange/index.ts";
import type { JsonValue } from "../kernel/database/tables.ts";
import { answerTo } from "../kernel/engine-requests/answers.ts";
import type { LoggedRequest } from "./part.ts";

/** The commands of the outside world among these, each once. Those of rules without references are left out. */
export function requestsOf(applied: readonly Applied[]): LoggedRequest[] {
  return applied.flatMap((one) => requestOf(one) ?? []);
}

export function requestOf(one: Applied): LoggedRequest | undefined {
  const { command, events, time_ms } = one;
  const heard = answerTo(one);
  const { reference: ref, details }: OutsideStamp = command;
  if (heard === undefined || ref === undefined) return undefined;
  return {
    ref,
    seq: heard.seq,
    ...heard.answer,
    at: new Date(time_ms),
    events,
    command,
    details: details ? JSON.parse(details) : undefined,
    secret: disclosureOf(command)?.fields,
  };
}

/** The outbox message that the command was. */
export function payloadOf(command: Command): { readonly [name: string]: JsonValue } {
  const { time_ms: _time, number: _number, reference: _reference, ...own } = command as Command & { number?: number };
  const stated = Object.entries(own).filter(([name, value]) => !(STAMPS.has(name) && value === ""));
  return Object.fromEntries(stated) as { [name: string]: JsonValue };
}

const STAMPS: ReadonlySet<string> = new Set(["details", "commitment"]);
