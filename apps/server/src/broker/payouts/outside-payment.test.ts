import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  HttpRequestError,
  type Log,
  TransactionReceiptNotFoundError,
} from "viem";
import type { ChainClient } from "../../chain/client.ts";
import { ApiError } from "../../kernel/errors.ts";
import { assertCovered, readPayment } from "./outside-payment.ts";
import { payeeAddress, usdt } from "./testing/payout-books.ts";

const HASH = `0x${"5a".repeat(32)}` as const;
const contracts = {
  usdt: "0x00000000000000000000000000000000000000A1",
  earn: "0x00000000000000000000000000000000000000A2",
  referral: "0x00000000000000000000000000000000000000A3",
  vault: "0x00000000000000000000000000000000000000A4",
} as const;
const PAYER = payeeAddress(7_000) as Address;

function transferLog(from: string, to: string, value: bigint, address: Address = contracts.usdt): Log {
  const args = { from: from.toLowerCase() as Address, to: to.toLowerCase() as Address };
  const topics = encodeEventTopics({ abi: erc20Abi, eventName: "Transfer", args });
  return { address, topics, data: encodeAbiParameters([{ type: "uint256" }], [value]) } as unknown as Log;
}

/** A chain that knows one transaction, in block 100. */
function chainWith(
  logs: readonly Log[],
  {
    status = "success",
    head = 100n,
    confirmations = 0,
  }: { status?: string; head?: bigint; confirmations?: number } = {},
): ChainClient {
  const getTransactionReceipt = async () => ({ status, blockNumber: 100n, logs });
  return {
    confirmations,
    public: { getTransactionReceipt, getBlockNumber: async () => head },
  } as unknown as ChainClient;
}

const failing = (error: unknown): ChainClient =>
  ({
    confirmations: 0,
    public: {
      getTransactionReceipt: async () => {
        throw error;
      },
    },
  }) as unknown as ChainClient;

const refusal = (status: number, code: string) => (error: unknown) =>
  error instanceof ApiError && error.status === status && error.code === code;

describe("payments from outside", () => {
  it("BRK-14: transfers are summed by payee, whatever the number of them", async () => {
    const logs = Array.from({ length: 500 }, (_, place) => transferLog(PAYER, payeeAddress(place % 250), usdt(1)));
    const paid = await readPayment({ client: chainWith(logs), contracts }, HASH);
    assert.equal(paid.size, 250);
    const due = Array.from({ length: 250 }, (_, place) => ({ payee: payeeAddress(place), amount_micros: usdt(2) }));
    assertCovered(due, paid);
    const more = [...due, { payee: payeeAddress(250), amount_micros: 1n }];
    assert.throws(
      () => assertCovered(more, paid),
      (error: unknown) => {
        assert.ok(refusal(409, "PAYMENT_NOT_COVERED")(error));
        assert.deepEqual((error as ApiError).details, {
          rule: "transfers",
          missing_count: 1,
          missing: [{ payee: payeeAddress(250), due: "0.000001", found: "0.00" }],
        });
        return true;
      },
    );
  });

  it("BRK-14: one micro too little does not cover, and at most ten payees are named", async () => {
    const logs = Array.from({ length: 12 }, (_, place) => transferLog(PAYER, payeeAddress(place), usdt(2) - 1n));
    const paid = await readPayment({ client: chainWith(logs), contracts }, HASH);
    const due = Array.from({ length: 12 }, (_, place) => ({ payee: payeeAddress(place), amount_micros: usdt(2) }));
    assert.throws(
      () => assertCovered(due, paid),
      (error: unknown) => {
        const details = (error as ApiError).details;
        assert.equal(details?.["missing_count"], 12);
        const missing = details?.["missing"] as { due: string; found: string }[];
        assert.deepEqual([missing.length, missing[0]?.due, missing[0]?.found], [10, "2.00", "1.999999"]);
        return true;
      },
    );
  });

  it("BRK-14: other tokens, the platform's own contracts and wallets that pay themselves do not count", async () => {
    const payee = payeeAddress(1);
    const logs = [
      transferLog(PAYER, payee, usdt(1), "0x00000000000000000000000000000000000000FF"),
      transferLog(contracts.vault, payee, usdt(2)),
      transferLog(contracts.earn, payee, usdt(4)),
      transferLog(contracts.referral, payee, usdt(8)),
      transferLog(payee, payee, usdt(16)),
      transferLog(payee, PAYER, usdt(32)),
    ];
    const paid = await readPayment({ client: chainWith(logs), contracts }, HASH);
    assert.deepEqual(paid, new Map([[PAYER, usdt(32)]]));
  });

  it("BRK-14: the receipt must be there, successful, and deep enough", async () => {
    const read = (client: ChainClient) => readPayment({ client, contracts }, HASH);
    await assert.rejects(
      read(failing(new TransactionReceiptNotFoundError({ hash: HASH }))),
      refusal(409, "PAYMENT_NOT_FOUND"),
    );
    await assert.rejects(read(chainWith([], { status: "reverted" })), refusal(409, "PAYMENT_REVERTED"));
    await assert.rejects(read(chainWith([], { head: 101n, confirmations: 2 })), (error: unknown) => {
      assert.ok(refusal(409, "PAYMENT_NOT_CONFIRMED")(error));
      assert.deepEqual((error as ApiError).details, { rule: "confirmations", limit: 2, actual: 1 });
      return true;
    });
    assert.deepEqual(await read(chainWith([], { head: 102n, confirmations: 2 })), new Map());
  });

  it("BRK-14: a chain that cannot be asked is 503, and its address is not told", async () => {
    const url = "https://node.example/secret-key";
    const client = failing(new HttpRequestError({ url, details: `no answer from ${url}` }));
    await assert.rejects(readPayment({ client, contracts }, HASH), (error: unknown) => {
      assert.ok(refusal(503, "CHAIN_UNAVAILABLE")(error));
      assert.ok(!String(error).includes("secret-key"));
      return true;
    });
  });
});
