import type { FastifyRequest } from "fastify";
import type { AuditEntry } from "../kernel/audit/audit-log.ts";
import { forbidden } from "../kernel/errors.ts";
import { refusals } from "./refusals.ts";

/** Who acts, for the audit log. */
export type Actor = Pick<AuditEntry, "actor" | "role" | "ip" | "request_id">;

/** The admin behind a request that the policy table opens to admins. */
export function actorOf({ principal, address, id }: FastifyRequest): Actor {
  if (principal?.kind !== "staff") throw forbidden("this is open to admins only");
  return { actor: principal.id, role: principal.role, ip: address, request_id: id };
}

/** The wallet behind a request that the policy table opens to wallets. */
export function walletOf({ principal }: FastifyRequest): string {
  if (principal?.kind !== "wallet") throw forbidden("this is open to wallets only");
  return principal.address;
}

interface SchemaProblem {
  readonly instancePath?: string;
  readonly message?: string;
}

const REQUIRED = /^must have required propert(?:y|ies) (\w+)/;

/** What a route's schema refuses, in the words and codes of the program. */
export function schemaRefusal(problems: readonly SchemaProblem[], part: string): Error {
  const { instancePath = "", message = "is not valid" } = problems[0] ?? {};
  const place = instancePath.slice(1).replaceAll("/", ".");
  const missing = REQUIRED.exec(message)?.[1];
  if (missing !== undefined) return refusals.fieldRequired(place === "" ? missing : `${place}.${missing}`);
  return refusals.invalidField(place === "" ? part : place, message);
}
