import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { subscribeTypedData } from "@bourse/contracts";
import fc from "fast-check";
import { hashTypedData, recoverTypedDataAddress, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { createVoucherSigner } from "./voucher-signer.ts";

const KEY = "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
const EARN = "0xe7f1725e7734ce288f8367e1bb143e90bb3f0512";
const signer = createVoucherSigner({ chainId: 43_113, earn: EARN, key: KEY });
const account = privateKeyToAccount(KEY);

const anyVoucher = fc.record({
  user: fc.bigInt(0n, 2n ** 160n - 1n).map((value) => toHex(value, { size: 20 })),
  productId: fc.bigInt(0n, 2n ** 256n - 1n),
  amount: fc.bigInt(0n, 2n ** 256n - 1n),
  deadline: fc.bigInt(0n, 2n ** 40n),
});

describe("ERN-5: the signer of vouchers", () => {
  it("signs the very bytes that any EIP-712 library signs, deterministically and with the lower s", async () => {
    await fc.assert(
      fc.asyncProperty(anyVoucher, async (voucher) => {
        const typed = subscribeTypedData(signer.domain, voucher);
        const { digest, signature } = signer.sign(voucher);
        assert.equal(digest, hashTypedData(typed));
        assert.equal(signature, await account.signTypedData(typed));
        assert.deepEqual(signer.sign(voucher), { digest, signature });
      }),
      { numRuns: 100 },
    );
  });

  it("whose address the signature gives back", async () => {
    assert.equal(signer.address, account.address);
    const voucher = { user: EARN, productId: 1n, amount: 100_000_000n, deadline: 1_780_000_000n } as const;
    const typed = subscribeTypedData(signer.domain, voucher);
    const { signature } = signer.sign(voucher);
    assert.equal(await recoverTypedDataAddress({ ...typed, signature }), account.address);
  });

  it("refuses what does not fit its field", () => {
    const voucher = { user: EARN, productId: 1n, amount: 2n ** 256n, deadline: 1n } as const;
    assert.throws(() => signer.sign(voucher), RangeError);
    assert.throws(() => signer.sign({ ...voucher, amount: -1n }), RangeError);
  });

  it("the library's JavaScript version, which takes over where the native one is missing, signs the same", () => {
    const require = createRequire(import.meta.url);
    const native = require("secp256k1/bindings") as typeof import("secp256k1");
    const plain = require("secp256k1/elliptic") as typeof import("secp256k1");
    const digest = Buffer.from(
      signer.sign({ user: EARN, productId: 1n, amount: 2n, deadline: 3n }).digest.slice(2),
      "hex",
    );
    const key = Buffer.from(KEY.slice(2), "hex");
    const [one, other] = [native.ecdsaSign(digest, key), plain.ecdsaSign(digest, key)];
    assert.deepEqual([...one.signature, one.recid], [...other.signature, other.recid]);
  });
});
