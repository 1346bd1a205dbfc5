import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Abi, type AbiFunction, toFunctionSelector } from "viem";
import { earnAbi as compiledEarn } from "../../../../contracts/artifacts/earn.ts";
import { referralRebateAbi as compiledReferral } from "../../../../contracts/artifacts/referral-rebate.ts";
import { testUsdtAbi as compiledToken } from "../../../../contracts/artifacts/test-usdt.ts";
import { vaultAbi as compiledVault } from "../../../../contracts/artifacts/vault.ts";
import { earnAbi, referralAbi, tokenAbi, vaultAbi } from "./abi.ts";
import { CONTRACT_WORDS } from "./refusals.ts";

/** Functions and errors are told apart by the same four bytes. */
const signatureOf = (item: { readonly type: string }) =>
  `${item.type} ${toFunctionSelector({ ...item, type: "function" } as AbiFunction)}`;
const signaturesOf = (...abis: readonly Abi[]) =>
  new Set(
    abis
      .flat()
      .filter(({ type }) => type === "function" || type === "error")
      .map(signatureOf),
  );

describe("the fragments of the contracts", () => {
  it("are what the compiled contracts have", () => {
    for (const [name, abi, compiled] of [
      ["token", tokenAbi, signaturesOf(compiledToken)],
      ["vault", vaultAbi, signaturesOf(compiledVault, compiledToken)],
      ["earn", earnAbi, signaturesOf(compiledEarn, compiledToken)],
      ["referral", referralAbi, signaturesOf(compiledReferral, compiledToken)],
    ] as const) {
      for (const item of abi) assert.ok(compiled.has(signatureOf(item)), `${name}: ${item.name}`);
    }
  });

  it("name no refusal without words for it", () => {
    const names = [...tokenAbi, ...vaultAbi, ...earnAbi, ...referralAbi]
      .filter(({ type }) => type === "error")
      .map(({ name }) => name);
    for (const name of names) assert.ok(name in CONTRACT_WORDS, name);
  });
});
