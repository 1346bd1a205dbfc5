import { schemaRefusalIn } from "../kernel/http/callers.ts";
import { refusals } from "./refusals.ts";

export { type Actor, staffActor as actorOf, walletOf } from "../kernel/http/callers.ts";

/** What a route's schema refuses, in the words and codes of the program. */
export const schemaRefusal = schemaRefusalIn(refusals);
