import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { placeAt, placeGroups } from "./places.ts";

describe("places of the console", () => {
  it("are named once, each under its own path", () => {
    const places = placeGroups(true).flatMap((group) => group.places);
    assert.equal(new Set(places.map(({ to }) => to)).size, places.length);
    assert.equal(new Set(places.map(({ label }) => label)).size, places.length);
  });

  it("leave the development tools out in production", () => {
    const labels = (isDevelopment: boolean) =>
      placeGroups(isDevelopment).flatMap((group) => group.places.map(({ label }) => label));
    assert.ok(labels(true).includes("Development"));
    assert.ok(!labels(false).includes("Development"));
  });

  it("are found from what is below them", () => {
    assert.equal(placeAt("/admin")?.label, "Dashboard");
    assert.equal(placeAt("/admin/payouts/3f0c1a52")?.label, "Payout batches");
    assert.equal(placeAt("/admin/kols")?.label, "KOLs");
    assert.equal(placeAt("/trade"), undefined);
  });
});
