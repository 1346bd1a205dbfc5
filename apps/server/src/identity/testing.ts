/** For tests: an identity on its own database, with a clock that stands still. */
import assert from "node:assert/strict";
import { createAuditLog } from "../kernel/audit/audit-log.ts";
import { ManualClock } from "../kernel/clock.ts";
import { openTestDatabase } from "../kernel/database/testing.ts";
import { ApiError } from "../kernel/errors.ts";
import { systemRandom } from "../kernel/random.ts";
import { createIdentity, type Identity, type IdentitySettings } from "./identity.ts";
import { identityMigrations } from "./migrations.ts";
import { type IdentityDb, identityDb } from "./tables.ts";

export const TEST_NOW_MS = Date.parse("2026-06-01T12:00:00.000Z");

export const TEST_SETTINGS: IdentitySettings = {
  jwtSecret: "a secret that only these tests know, of good length",
  secretsKey: "00112233445566778899aabbccddeeff".repeat(2),
  publicUrl: "http://127.0.0.1:8080",
  chainId: 43113,
  bonusAdminApiKey: "a bonus key that only these tests know",
};

export const TEST_ORIGIN = { ip: "203.0.113.7", request_id: "request-1" };

export interface TestIdentity {
  readonly identity: Identity;
  readonly clock: ManualClock;
  readonly db: IdentityDb;
  /** The same database used by another process, or by this one after a restart. */
  another(settings?: Partial<IdentitySettings>): Identity;
  auditEntries(action: string): Promise<{ actor: string; target: string | null; before: unknown; after: unknown }[]>;
  close(): Promise<void>;
}

export async function openTestIdentity(): Promise<TestIdentity> {
  const database = await openTestDatabase(identityMigrations);
  const clock = new ManualClock(TEST_NOW_MS);
  const audit = createAuditLog({ clock });
  const another = (settings: Partial<IdentitySettings> = {}) =>
    createIdentity({ database, clock, random: systemRandom, audit, settings: { ...TEST_SETTINGS, ...settings } });
  return {
    identity: another(),
    clock,
    db: identityDb(database),
    another,
    auditEntries: async (action) => (await audit.list(database.db, { limit: 100, action })).reverse(),
    close: () => database.close(),
  };
}

/** Asserts that the call is refused with this status, and returns the refusal. */
export async function refused(status: number, call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => assert.fail(`expected a refusal with ${status}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw error;
  assert.equal(error.status, status, error.message);
  return error;
}
