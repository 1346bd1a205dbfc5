import type { FastifyRequest } from "fastify";
import { type Actor, schemaRefusalIn, staffActor } from "../kernel/http/callers.ts";
import { refusals } from "./refusals.ts";

export { type Actor, SYSTEM, walletOf } from "../kernel/http/callers.ts";

/** BON-10: an admin, or the holder of the bonus administration's key. */
export function actorOf(request: FastifyRequest): Actor {
  const { principal, address, id } = request;
  if (principal?.kind !== "bonus-admin") return staffActor(request);
  return { actor: "bonus-admin", role: "bonus-admin", ip: address, request_id: id };
}

/** Turns schema violations into the refusals of the program. */
export const schemaRefusal = schemaRefusalIn(refusals);
