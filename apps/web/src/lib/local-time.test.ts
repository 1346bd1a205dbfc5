import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isoOfLocalInput, localInputOf } from "./local-time.ts";

describe("local times in forms", () => {
  it("come back as the moment they were made from", () => {
    for (const iso of ["2026-06-01T12:03:00.000Z", "2026-06-01T12:03:07.000Z", "2026-12-31T23:59:59.000Z"]) {
      assert.equal(isoOfLocalInput(localInputOf(iso)), iso);
    }
  });

  it("have seconds only where there are some", () => {
    assert.match(localInputOf("2026-06-01T12:03:00.000Z"), /T\d\d:03$/);
    assert.match(localInputOf("2026-06-01T12:03:07.000Z"), /T\d\d:03:07$/);
  });

  it("are nothing while they are half typed", () => {
    for (const text of ["", "2026-06-01", "2026-06-01T", "2026-13-01T00:00", "now"]) {
      assert.equal(isoOfLocalInput(text), undefined, text);
    }
  });
});
