import type { FastifyRequest } from "fastify";
import type { AuditEntry } from "../audit/audit-log.ts";
import { forbidden } from "../errors.ts";

/** The actor for the audit log. */
export type Actor = Pick<AuditEntry, "actor" | "role" | "ip" | "request_id">;

/** The platform itself, for jobs that decide something. */
export const SYSTEM: Actor = { actor: "system", role: "system" };

/** The admin or BD behind a request to a staff route. */
export function staffActor({ principal, address, id }: FastifyRequest): Actor {
  if (principal?.kind !== "staff") throw forbidden("this is open to staff only");
  return { actor: principal.id, role: principal.role, ip: address, request_id: id };
}

/** The wallet behind a request to a wallet route. */
export function walletOf({ principal }: FastifyRequest): string {
  if (principal?.kind !== "wallet") throw forbidden("this is open to wallets only");
  return principal.address;
}

interface SchemaProblem {
  readonly instancePath?: string;
  readonly message?: string;
}

/** The refusals of an area for schema violations. */
export interface SchemaRefusals {
  fieldRequired(name: string): Error;
  invalidField(name: string, text: string): Error;
}

const REQUIRED = /^must have required propert(?:y|ies) (\w+)/;

/** Turns schema violations into the refusals of an area. */
export const schemaRefusalIn =
  (refusals: SchemaRefusals) =>
  (problems: readonly SchemaProblem[], part: string): Error => {
    const { instancePath = "", message = "is not valid" } = problems[0] ?? {};
    const place = instancePath.slice(1).replaceAll("/", ".");
    const missing = REQUIRED.exec(message)?.[1];
    if (missing !== undefined) return refusals.fieldRequired(place === "" ? missing : `${place}.${missing}`);
    return refusals.invalidField(place === "" ? part : place, message);
  };
