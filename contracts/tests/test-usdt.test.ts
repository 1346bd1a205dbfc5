import assert from "node:assert/strict";
import test, { after, beforeEach } from "node:test";
import { parseSignature, zeroAddress } from "viem";
import { testUsdtAbi, testUsdtBytecode } from "../src/index.ts";
import { CHAIN_ID } from "./support/chain.ts";
import { refuses } from "./support/outcomes.ts";
import { FIRST_TOKENS, startWorld, wallets } from "./support/world.ts";

const world = await startWorld();
beforeEach(() => world.reset());
after(() => world.close());
const { usdt } = world;

test("the test token is called USDT and has 6 decimals", async () => {
  assert.deepEqual(
    [await usdt.read.name(), await usdt.read.symbol(), await usdt.read.decimals()],
    ["Test USDT", "USDT", 6],
  );
});

test("the minter gives anyone tokens", async () => {
  await world.mined(usdt.write.mint([wallets.pauser.address, 250n], world.by("minter")));
  assert.equal(await world.tokensOf(wallets.pauser.address), 250n);
  assert.equal(await usdt.read.totalSupply(), 4n * FIRST_TOKENS + 250n);
});

test("tokens cannot be minted to the zero address, and the zero address cannot be the admin", async () => {
  await refuses(usdt.simulate.mint([zeroAddress, 1n], world.by("minter")), "ERC20InvalidReceiver", [zeroAddress]);
  const deployment = world.chain.walletClient(wallets.alice).deployContract({
    abi: testUsdtAbi,
    bytecode: testUsdtBytecode,
    args: [zeroAddress],
  });
  await refuses(deployment, "ZeroAddress");
});

test("an allowance can be given by a signature", async () => {
  const message = {
    owner: wallets.alice.address,
    spender: wallets.bob.address,
    value: 700n,
    nonce: 0n,
    deadline: BigInt(world.chain.now()),
  };
  const signature = await wallets.alice.signTypedData({
    domain: { name: "Test USDT", version: "1", chainId: CHAIN_ID, verifyingContract: usdt.address },
    types: {
      Permit: [
        { name: "owner", type: "address" },
        { name: "spender", type: "address" },
        { name: "value", type: "uint256" },
        { name: "nonce", type: "uint256" },
        { name: "deadline", type: "uint256" },
      ],
    },
    primaryType: "Permit",
    message,
  });
  const { r, s, yParity } = parseSignature(signature);
  const args = [message.owner, message.spender, message.value, message.deadline, 27 + yParity, r, s] as const;
  await world.mined(usdt.write.permit(args, world.by("carol")));
  assert.equal(await usdt.read.allowance([message.owner, message.spender]), 700n);
});
