import { schemaRefusalIn } from "../kernel/http/callers.ts";
import { refusals } from "./refusals.ts";

export { type Actor, staffActor as actorOf, walletOf } from "../kernel/http/callers.ts";

/** BRK-16: what a route's schema refuses, in the words and codes of the program; a period has a code of its own. */
export const schemaRefusal = schemaRefusalIn({
  fieldRequired: refusals.fieldRequired,
  invalidField: (name, text) => (name === "period" ? refusals.invalidPeriod() : refusals.invalidField(name, text)),
});
