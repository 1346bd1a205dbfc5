import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { SeasonAllocation } from "@bourse/api/client";
import { allocationLeafText, checkAllocationProof } from "./allocation-proof.ts";

/** As a server answered it. */
const ALLOCATION: SeasonAllocation = {
  season_id: "67f0a1ec-005d-46df-89c0-8521a1dc139e",
  season_no: 1,
  status: "completed",
  address: "0x28eea5ef13269473e081b5f660c7c70714c672b6",
  points: "103990.133694",
  level: 3,
  weight: 25,
  user_tokens: 170_237,
  maker_volume: "0.000000",
  mm_tokens: 0,
  tokens: 170_237,
  leaf_text:
    "bourse-allocation-v1\n67f0a1ec-005d-46df-89c0-8521a1dc139e\n0x28eea5ef13269473e081b5f660c7c70714c672b6\n103990.133694\n3\n25\n170237\n0.000000\n0",
  leaf: "0xb0cc6f5392b55e312a9ba9c78cd8a01490145da362008c62bd141865fc2bf0d4",
  index: 5,
  siblings: [
    { position: "left", hash: "0x0e985945268cca5e8751d4dbe3a3203469dc4ce295ea41ab32768ce0b79970a5" },
    { position: "right", hash: "0x43ebc30771f4995ee156b215920cdfe2aa92571dc8cdc1069b9f327a3cfe50b5" },
    { position: "left", hash: "0x2f83275d749888702de7acf83490a0d78f33c0857cdbe0511e4a8b3d695b646d" },
    { position: "right", hash: "0x2cd035ebc2d568d4d9abc728ffd45ec92dcd75f5aa4cb0965aaf1eb68efb604c" },
    { position: "right", hash: "0x6e5f940bea44c4a863769f134f695458bd26032011cb9c0ba4327d13a02067e3" },
  ],
  root: "0x7689cc549b5b8b2fbede9439231be212128f97d987729e475fcb07446ec3e29a",
};
const PUBLISHED = { season_no: 1, season_id: ALLOCATION.season_id, root: ALLOCATION.root };

const byScript = (allocation: SeasonAllocation): boolean => {
  const script = fileURLToPath(new URL("../../../../scripts/verify-allocation.mjs", import.meta.url));
  const input = JSON.stringify(allocation);
  return spawnSync(process.execPath, [script, "--root", PUBLISHED.root], { input }).status === 0;
};

describe("PTS-5: a season's allocation, checked in the browser", () => {
  it("an allocation of a server is right, here and by scripts/verify-allocation.mjs", async () => {
    assert.equal(allocationLeafText(ALLOCATION), ALLOCATION.leaf_text);
    assert.equal((await checkAllocationProof(ALLOCATION, PUBLISHED)).isValid, true);
    assert.equal(byScript(ALLOCATION), true);
  });

  it("more tokens, tokens that do not add up, another season and another root are wrong", async () => {
    const more = { ...ALLOCATION, user_tokens: 170_238, tokens: 170_238 };
    assert.equal((await checkAllocationProof(more, PUBLISHED)).isValid, false);
    assert.equal(byScript(more), false);
    assert.equal((await checkAllocationProof({ ...ALLOCATION, tokens: 170_238 }, PUBLISHED)).isValid, false);
    const otherSeason = { ...PUBLISHED, season_id: "c2f899c2-fee9-4d69-9836-016dad7c04c8" };
    assert.equal((await checkAllocationProof(ALLOCATION, otherSeason)).isValid, false);
    assert.equal((await checkAllocationProof(ALLOCATION, { ...PUBLISHED, root: ALLOCATION.leaf })).isValid, false);
  });
});
