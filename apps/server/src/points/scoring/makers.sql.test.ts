import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { PointsMakers } from "@bourse/api";
import { AdminScene } from "./testing/admin-scene.ts";

const walletOf = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;

describe("PTS-6: the administration of market makers", () => {
  let scene: AdminScene;
  before(async () => {
    scene = await AdminScene.open();
  });
  after(() => scene.close());

  it("PTS-5: the list is replaced as a whole; who stays keeps its day, and the audit log has both lists", async () => {
    assert.deepEqual(await scene.read("/makers"), { wallets: [] });
    const [a, b, c] = [walletOf(0xa1), walletOf(0xb2), walletOf(0xc3)] as const;
    const first_at = new Date(scene.platform.clock.now()).toISOString();
    const first = await scene.set<PointsMakers>("/makers", {
      wallets: [{ address: b.toUpperCase().replace("0X", "0x"), label: " Desk two " }, { address: a }],
    });
    assert.deepEqual(first, {
      wallets: [
        { address: a, label: null, created_at: first_at },
        { address: b, label: "Desk two", created_at: first_at },
      ],
    });
    scene.platform.realTime.advance(1_000);
    const second = await scene.set<PointsMakers>("/makers", {
      wallets: [
        { address: c, label: null },
        { address: b, label: "Desk 2" },
      ],
      reason: "agreement ended",
    });
    const second_at = new Date(scene.platform.clock.now()).toISOString();
    assert.deepEqual(second.wallets, [
      { address: b, label: "Desk 2", created_at: first_at },
      { address: c, label: null, created_at: second_at },
    ]);
    assert.deepEqual(await scene.read("/makers"), second);
    assert.deepEqual(await scene.lastAudit(), {
      action: "points.makers.replace",
      role: "admin",
      target: "makers",
      before: first,
      after: second,
      reason: "agreement ended",
    });
    assert.deepEqual(await scene.set("/makers", { wallets: [] }), { wallets: [] });
  });

  it("500 wallets are taken, one more is refused", async () => {
    const wallets = Array.from({ length: 501 }, (_, place) => ({ address: walletOf(place + 1) }));
    const { wallets: listed } = await scene.set<PointsMakers>("/makers", { wallets: wallets.slice(1) });
    assert.equal(listed.length, 500);
    await scene.refuses("/makers", { wallets }, "INVALID_FIELD", /^wallets/);
    await scene.set("/makers", { wallets: [] });
  });

  const good = { address: walletOf(1) };
  const bad: [string, unknown, string][] = [
    ["null", null, "INVALID_FIELD"],
    ["text", walletOf(1), "INVALID_FIELD"],
    ["an object", {}, "INVALID_FIELD"],
    ["wallets without a name of the field", [walletOf(1)], "INVALID_FIELD"],
    ["no address", [{ label: "x" }], "FIELD_REQUIRED"],
    ["an address that is null", [{ address: null }], "INVALID_FIELD"],
    ["no hex", [{ address: `0x${"g".repeat(40)}` }], "INVALID_ADDRESS"],
    ["a short address", [{ address: "0x12" }], "INVALID_ADDRESS"],
    ["an empty address", [good, { address: "" }], "INVALID_ADDRESS"],
    ["a wrong checksum", [{ address: "0x52908400098527886e0f7030069857D2E4169EE7" }], "INVALID_ADDRESS"],
    ["the zero address", [{ address: `0x${"0".repeat(40)}` }], "INVALID_ADDRESS"],
    ["one twice", [good, good], "INVALID_FIELD"],
    ["an empty label", [{ ...good, label: "  " }], "INVALID_FIELD"],
    ["a label of 65 characters", [{ ...good, label: "x".repeat(65) }], "INVALID_FIELD"],
    ["a label with control characters", [{ ...good, label: "a\u202eb" }], "INVALID_FIELD"],
    ["a label that is a number", [{ ...good, label: 12 }], "INVALID_FIELD"],
  ];
  for (const [what, wallets, code] of bad) {
    it(`refuses ${what}`, () => scene.refuses("/makers", { wallets: wallets as object }, code));
  }
  it("refuses a request without a list", () => scene.refuses("/makers", {}, "FIELD_REQUIRED", /^wallets/));
});
