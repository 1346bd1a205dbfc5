import { schemaRefusalIn } from "../kernel/http/callers.ts";
import { refusals } from "./refusals.ts";

export { type Actor, staffActor as actorOf, walletOf } from "../kernel/http/callers.ts";

/** Turns schema violations into the refusals of the program. */
export const schemaRefusal = schemaRefusalIn(refusals);
