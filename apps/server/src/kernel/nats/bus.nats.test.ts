import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { onCleanup } from "../../../../../tests/support/cleanup.ts";
import { cleanUp, newPrefix, openTestLink } from "../../exchange/cluster/testing/nodes.ts";
import { NatsBus } from "./bus.ts";
import { openLeases } from "./lease.ts";

async function startMember(t: TestContext, prefix: string, member: string) {
  const link = await openTestLink(t, prefix, member);
  const errors: unknown[] = [];
  const bus = new NatsBus({
    link,
    leases: await openLeases(link),
    member,
    onError: (error) => errors.push(error),
  });
  return { bus, link, errors };
}

function ground(t: TestContext): string {
  const prefix = newPrefix();
  onCleanup(t, () => cleanUp(prefix));
  return prefix;
}

describe("the bus between processes", () => {
  it("SEC-4: whoever tells something goes on when every other member has done it", async (t) => {
    const prefix = ground(t);
    const a = await startMember(t, prefix, "a");
    const heard: string[] = [];
    for (const name of ["b", "c"]) {
      const { bus } = await startMember(t, prefix, name);
      bus.listen("keys", async (message) => {
        await sleep(name === "c" ? 150 : 0);
        heard.push(`${name} ${String(message)}`);
      });
      await bus.join(async () => {});
      onCleanup(t, () => bus.leave());
    }
    await a.bus.tell("keys", "revoked");
    assert.deepEqual(heard.sort(), ["b revoked", "c revoked"]);
  });

  it("SEC-4: a listener that fails is asked again before the one who tells goes on", async (t) => {
    const prefix = ground(t);
    const a = await startMember(t, prefix, "a");
    const b = await startMember(t, prefix, "b");
    let attempts = 0;
    b.bus.listen("keys", () => {
      attempts += 1;
      if (attempts === 1) throw new Error("the database does not answer");
    });
    await b.bus.join(async () => {});
    onCleanup(t, () => b.bus.leave());
    await a.bus.tell("keys", 1);
    assert.equal(attempts, 2);
    assert.equal(b.errors.length, 1);
  });

  it("SEC-4: a member that left is not waited for, and nobody is a member before it has read everything", async (t) => {
    const prefix = ground(t);
    const a = await startMember(t, prefix, "a");
    const b = await startMember(t, prefix, "b");
    b.bus.listen("keys", () => {
      throw new Error("it would never confirm");
    });
    let wasMember: boolean | undefined;
    await b.bus.join(async () => {
      wasMember = b.bus.isMember;
    });
    assert.equal(wasMember, false);
    assert.equal(b.bus.isMember, true);
    await b.bus.leave();
    assert.equal(b.bus.isMember, false);
    await a.bus.tell("keys", 1);
  });
});
