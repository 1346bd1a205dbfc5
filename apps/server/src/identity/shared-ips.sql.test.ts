import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openTestDatabase, type TestDatabase } from "../kernel/database/testing.ts";
import { randomUuid, seededRandom } from "../kernel/random.ts";
import { identityMigrations } from "./migrations.ts";
import { sharedIps } from "./shared-ips.ts";
import { identityDb } from "./tables.ts";

const [anna, bert, carl] = ["a", "b", "c"].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];

describe("shared IPs", () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase(identityMigrations);
    const random = seededRandom("shared-ips");
    const session = (subject: string, ip: string | null, role: "wallet" | "bd" = "wallet") => ({
      id: randomUuid(random),
      subject,
      role,
      ip,
      created_at: new Date(0),
    });
    const rows = [
      session(anna, "192.0.2.1"),
      session(anna, "192.0.2.1"),
      session(bert, "192.0.2.1"),
      session(bert, "2001:db8::1"),
      session(carl, "2001:db8::1"),
      session(anna, "192.0.2.2"),
      session("3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44", "192.0.2.2", "bd"),
      session(anna, null),
      session(bert, null),
    ];
    await identityDb(database).insertInto("session").values(rows).execute();
  });
  after(() => database.close());

  it("BON-12: names addresses from which several of the wallets signed in, and only those wallets", async () => {
    assert.deepEqual(await sharedIps(database, [anna, bert, carl]), [
      { ip: "192.0.2.1", wallets: [anna, bert] },
      { ip: "2001:db8::1", wallets: [bert, carl] },
    ]);
    assert.deepEqual(await sharedIps(database, [anna, bert]), [{ ip: "192.0.2.1", wallets: [anna, bert] }]);
    assert.deepEqual(await sharedIps(database, [anna]), []);
    assert.deepEqual(await sharedIps(database, []), []);
  });
});
