import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { earnAbi, subscribeTypedData } from "@bourse/contracts";
import { recoverTypedDataAddress } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { DAY_ms } from "../kernel/dates.ts";
import { TEST_EPOCH_MS, testWallet } from "../testing/test-platform.ts";
import { accepted, assertRefused, EarnScene, isoAfter, USDT } from "./testing/scene.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";

describe("prepare", () => {
  let scene: EarnScene;
  let open: string;
  let closed: string;
  let token: string;
  const alice = testWallet(201);
  const bob = testWallet(202);

  before(async () => {
    scene = await EarnScene.open();
    await scene.give(bob, 10_000n * USDT);
    ({ id: open } = await scene.product({ total_quota: "1000000000", max_amount_per_user: "900000000" }));
    ({ id: closed } = await scene.product({ subscribe_start_time: isoAfter(DAY_ms / 2) }));
    await scene.invest(bob, open, "400");
    token = await scene.token(alice);
  });
  after(() => scene.close());

  const prepare = (body: object, by: string | undefined = token) =>
    scene.platform.post("/earn/subscribe/prepare", body, by);
  /** Rows that a refused request must not change. */
  const reservations = async () => (await scene.db.selectFrom("earn_reservation").selectAll().execute()).length;

  it("interface 4.3: answers what `subscribe` needs", async () => {
    const voucher = await scene.prepare(alice, open, "123.456789");
    const { signature, ...rest } = voucher;
    assert.deepEqual(rest, {
      chain_product_id: 1,
      amount: "123456789",
      deadline: TEST_EPOCH_MS / 1_000 + 1_800,
      contract_address: scene.contracts.earn,
      user_address: alice.address.toLowerCase(),
    });
    assert.match(signature, /^0x[0-9a-f]{130}$/);
  });

  it("ERN-5: the domain that is published is the one that vouchers are signed for, and the contract's own", async () => {
    const published = accepted<{ domain: Record<string, unknown>; types: object; primaryType: string }>(
      await scene.platform.get("/earn/domain"),
    );
    assert.deepEqual(published, {
      types: {
        EIP712Domain: [
          { name: "name", type: "string" },
          { name: "version", type: "string" },
          { name: "chainId", type: "uint256" },
          { name: "verifyingContract", type: "address" },
        ],
        Subscribe: [
          { name: "user", type: "address" },
          { name: "productId", type: "uint256" },
          { name: "amount", type: "uint256" },
          { name: "deadline", type: "uint256" },
        ],
      },
      primaryType: "Subscribe",
      domain: { name: "Bourse Earn", version: "1", chainId: 43_113, verifyingContract: scene.contracts.earn },
    });
    const voucher = await scene.prepare(alice, open, "100");
    const message = {
      user: alice.address,
      productId: BigInt(voucher.chain_product_id),
      amount: BigInt(voucher.amount),
      deadline: BigInt(voucher.deadline),
    };
    const typed = subscribeTypedData(published.domain as never, message);
    const signer = await recoverTypedDataAddress({ ...typed, signature: voucher.signature as `0x${string}` });
    assert.equal(signer, privateKeyToAddress(scene.platform.settings.earnSignerKey as `0x${string}`));
    const separator = await scene.chain.readContract({
      address: scene.contracts.earn,
      abi: earnAbi,
      functionName: "subscribeDigest",
      args: [message.user, message.productId, message.amount, message.deadline],
    });
    const [row] = await scene.db
      .selectFrom("earn_reservation")
      .select("digest")
      .where("user_address", "=", alice.address.toLowerCase())
      .execute();
    assert.equal(row!.digest, separator);
  });

  /** Each request has one error; ERN-3 defines which error is reported if there are several. */
  const wrongs = [
    { code: "INVALID_AMOUNT", status: 400, body: () => ({ product_id: open, amount: "-5" }) },
    { code: "PRODUCT_NOT_FOUND", status: 404, body: () => ({ product_id: UNKNOWN, amount: "100" }) },
    { code: "SUBSCRIPTION_CLOSED", status: 400, body: () => ({ product_id: closed, amount: "100" }) },
    { code: "AMOUNT_TOO_LOW", status: 400, body: () => ({ product_id: open, amount: "9.999999" }) },
    { code: "AMOUNT_TOO_HIGH", status: 400, body: () => ({ product_id: open, amount: "900.000001" }) },
    { code: "QUOTA_EXCEEDED", status: 400, body: () => ({ product_id: open, amount: "600.000001" }) },
  ] as const;
  for (const { code, status, body } of wrongs) {
    it(`ERN-3: ${code}`, async () => {
      const rows = await reservations();
      const reply = await prepare(body());
      assertRefused(reply, status, code);
      assert.equal(typeof reply.json()["error"], "string");
      assert.equal(await reservations(), rows);
    });
    it(`ERN-3: UNAUTHORIZED comes before ${code}`, async () => {
      assertRefused(await prepare(body(), ""), 401, "UNAUTHORIZED");
      assertRefused(await scene.platform.post("/earn/subscribe/prepare", body()), 401, "UNAUTHORIZED");
    });
  }

  const pairs: readonly (readonly [string, number, () => object])[] = [
    ["INVALID_AMOUNT before PRODUCT_NOT_FOUND", 400, () => ({ product_id: UNKNOWN, amount: "0" })],
    ["INVALID_AMOUNT before SUBSCRIPTION_CLOSED", 400, () => ({ product_id: closed, amount: "abc" })],
    ["SUBSCRIPTION_CLOSED before AMOUNT_TOO_LOW", 400, () => ({ product_id: closed, amount: "0.000001" })],
    ["SUBSCRIPTION_CLOSED before AMOUNT_TOO_HIGH", 400, () => ({ product_id: closed, amount: "999999999" })],
    ["AMOUNT_TOO_HIGH before QUOTA_EXCEEDED", 400, () => ({ product_id: open, amount: "5000" })],
    ["PRODUCT_NOT_FOUND before AMOUNT_TOO_LOW", 404, () => ({ product_id: UNKNOWN, amount: "0.000001" })],
  ];
  for (const [name, status, body] of pairs) {
    it(`ERN-3: ${name}`, async () => {
      assertRefused(await prepare(body()), status, name.split(" ")[0]!);
    });
  }

  it("ERN-3: AMOUNT_TOO_LOW before QUOTA_EXCEEDED, where less than the minimum is left", async () => {
    const { id } = await scene.product({ total_quota: "100000000", max_amount_per_user: "100000000" });
    await scene.invest(bob, id, "95");
    const detail = await scene.read(id);
    assert.deepEqual([detail.available_quota, detail.is_sold_out], ["5000000", true]);
    assertRefused(await prepare({ product_id: id, amount: "9" }), 400, "AMOUNT_TOO_LOW");
    assertRefused(await prepare({ product_id: id, amount: "10" }), 400, "QUOTA_EXCEEDED");
  });

  const goodAmounts: readonly (readonly [unknown, string])[] = [
    ["10", "10000000"],
    ["10.5", "10500000"],
    ["0010.500000", "10500000"],
    [20, "20000000"],
    [20.25, "20250000"],
  ];
  for (const [amount, wei] of goodAmounts) {
    it(`WIRE-2: the amount ${JSON.stringify(amount)} is ${wei}`, async () => {
      const { amount: answered } = accepted<{ amount: string }>(await prepare({ product_id: open, amount }));
      assert.equal(answered, wei);
    });
  }

  const badAmounts: readonly unknown[] = [
    undefined,
    null,
    "",
    " ",
    "0",
    "0.000000",
    0,
    -1,
    "-1",
    "+1",
    "1e3",
    "1,000",
    "1.",
    ".5",
    "1.0000001",
    0.0000001,
    " 10",
    "10 ",
    "10\n",
    "0x10",
    "NaN",
    "Infinity",
    "१०",
    "10\u0000",
    "1; drop table earn_product",
    "9".repeat(200),
    "1".repeat(100_000),
    true,
    [],
    ["10"],
    {},
    { toString: "10" },
  ];
  for (const amount of badAmounts) {
    it(`ERN-3: the amount ${String(JSON.stringify(amount)).slice(0, 40)} is INVALID_AMOUNT`, async () => {
      const rows = await reservations();
      assertRefused(await prepare({ product_id: open, amount }), 400, "INVALID_AMOUNT");
      assert.equal(await reservations(), rows);
    });
  }

  it("a huge amount of the right form is too high, not malformed", async () => {
    assertRefused(await prepare({ product_id: open, amount: "9".repeat(70) }), 400, "AMOUNT_TOO_HIGH");
  });

  for (const product_id of ["", "1", "nonsense", "' or 1=1 --", "\u0000", "../x", `${UNKNOWN}0`, "x".repeat(5_000)]) {
    it(`ERN-3: the product ${JSON.stringify(product_id).slice(0, 30)} is PRODUCT_NOT_FOUND`, async () => {
      assertRefused(await prepare({ product_id, amount: "100" }), 404, "PRODUCT_NOT_FOUND");
    });
  }
  for (const product_id of [undefined, null, 1, true, {}, [], ["x"]]) {
    it(`a product_id that is ${JSON.stringify(product_id)} is no request`, async () => {
      assertRefused(await prepare({ product_id, amount: "100" }), 400, "BAD_REQUEST");
    });
  }

  it("ids are the same in upper case", async () => {
    accepted(await prepare({ product_id: open.toUpperCase(), amount: "10" }));
  });

  it("SEC-6: staff cannot subscribe", async () => {
    const { access_token } = await scene.platform.adminSignIn();
    assert.equal((await prepare({ product_id: open, amount: "10" }, access_token)).statusCode, 403);
  });
});

describe("prepare while paused", () => {
  it("ERN-11: EARN_PREPARE_PAUSED gives 503 to those who are signed in, whatever they send", async () => {
    const scene = await EarnScene.open({ EARN_PREPARE_PAUSED: "true" });
    try {
      const { id } = await scene.product();
      const token = await scene.token(testWallet(1));
      for (const body of [{ product_id: id, amount: "100" }, { product_id: id, amount: "-1" }, {}]) {
        const reply = await scene.platform.post("/earn/subscribe/prepare", body, token);
        assertRefused(reply, 503, "EARN_PREPARE_PAUSED");
      }
      assertRefused(await scene.platform.post("/earn/subscribe/prepare", {}), 401, "UNAUTHORIZED");
      assert.equal((await scene.read(id)).status, "subscribing", "reading goes on");
    } finally {
      await scene.close();
    }
  });
});
