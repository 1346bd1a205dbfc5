import { schemaRefusalIn } from "../kernel/http/callers.ts";
import { refusals } from "./refusals.ts";

export { type Actor, staffActor as actorOf, walletOf } from "../kernel/http/callers.ts";

/** BRK-16: turns schema violations into the refusals of the program; a period has its own code. */
export const schemaRefusal = schemaRefusalIn({
  fieldRequired: refusals.fieldRequired,
  invalidField: (name, text) => (name === "period" ? refusals.invalidPeriod() : refusals.invalidField(name, text)),
});
