import assert from "node:assert/strict";
import test, { after, beforeEach } from "node:test";
import {
  type Abi,
  type Address,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  maxUint256,
  stringToHex,
} from "viem";
import { type CompiledContract, compile } from "../scripts/compiler.ts";
import { earnAbi, earnDomain, referralRebateAbi, subscribeTypedData, vaultAbi } from "../src/index.ts";
import { CHAIN_ID } from "./support/chain.ts";
import { SETTLE_TIME, START, termsWith } from "./support/earn-scenes.ts";
import { refuses } from "./support/outcomes.ts";
import { deployFor, type Name, ONE_USDT, startNamedChain, wallets } from "./support/world.ts";

const [contractWallet, hostileToken] = compile([
  "tests/sources/ContractWallet.sol",
  "tests/sources/HostileToken.sol",
]) as [CompiledContract, CompiledContract];

const chain = await startNamedChain();
after(() => chain.close());

async function place({ abi, bytecode }: CompiledContract): Promise<Address> {
  const wallet = chain.walletClient(wallets.carol);
  const { contractAddress } = await chain.mined(wallet.deployContract({ abi, bytecode }));
  assert.ok(contractAddress);
  return getAddress(contractAddress);
}

const token = await place(hostileToken);
const walletContract = await place(contractWallet);
const { earn, referral, vault } = await deployFor(chain, token);

const AMOUNT = 1_000n * ONE_USDT;
const INTEREST = 9_863_013n;
const ID = stringToHex("1", { size: 32 });
const ALICE = wallets.alice.address;
const [RUNNING, SETTLED, CANCELLED] = [1n, 2n, 3n];

/** A call as plain data, because the hostile token has to be able to make it as well. */
interface Call {
  readonly by: Name;
  readonly to: Address;
  readonly data: Hex;
}

const send = ({ by, to, data }: Call) => chain.mined(chain.walletClient(wallets[by]).sendTransaction({ to, data }));
const attempt = ({ by, to, data }: Call) => chain.client.call({ account: wallets[by], to, data });
const setToken = (functionName: string, ...args: readonly unknown[]) =>
  send({ by: "carol", to: token, data: encodeFunctionData({ abi: hostileToken.abi, functionName, args }) });
const tokensOf = (holder: Address) =>
  chain.client.readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [holder] });

/** Encodes a call by name and arguments, untyped; the tests below check that they fit. */
const encode = (abi: Abi, functionName: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi, functionName, args });
const earnCall = (by: Name, name: string, ...args: unknown[]): Call => ({
  by,
  to: earn,
  data: encode(earnAbi, name, args),
});
const vaultCall = (by: Name, name: string, ...args: unknown[]): Call => ({
  by,
  to: vault,
  data: encode(vaultAbi, name, args),
});
const referralCall = (by: Name, name: string, ...args: unknown[]): Call => ({
  by,
  to: referral,
  data: encode(referralRebateAbi, name, args),
});

async function subscription(user: Address, productId: bigint, amount: bigint, deadline = maxUint256) {
  const voucher = { user, productId, amount, deadline };
  const signature = await wallets.signer.signTypedData(subscribeTypedData(earnDomain(CHAIN_ID, earn), voucher));
  return [productId, amount, deadline, signature] as const;
}

/** Three products, one open, one settled, one cancelled, and money in each contract. */
async function prepare(): Promise<void> {
  for (const holder of [ALICE, wallets.operator.address, walletContract]) await setToken("mint", holder, 100n * AMOUNT);
  for (const durationSeconds of [60, termsWith().durationSeconds, 60]) {
    await send(earnCall("operator", "createProduct", termsWith({ durationSeconds })));
  }
  await chain.moveTo(START);
  for (const productId of [SETTLED, CANCELLED]) {
    await send(earnCall("alice", "subscribe", ...(await subscription(ALICE, productId, AMOUNT))));
    await send(earnCall("operator", "fund", productId, INTEREST + 7n));
  }
  await send(vaultCall("alice", "deposit", AMOUNT));
  await send(referralCall("operator", "syncRebates", ID, [ALICE], [5n]));
  await send(earnCall("operator", "cancel", CANCELLED));
  await chain.moveTo(SETTLE_TIME);
  await send(earnCall("carol", "settle", SETTLED));
  // The last product is open for subscriptions.
  const now = chain.now();
  await send(earnCall("operator", "createProduct", termsWith({ subscribeStart: now, subscribeEnd: now + 60 })));
}

await prepare();
const OPEN = 4n;
const goBack = await chain.mark();
beforeEach(goBack);

const incoming: Readonly<Record<string, Call>> = {
  "Earn.subscribe": earnCall("alice", "subscribe", ...(await subscription(ALICE, OPEN, AMOUNT))),
  "Earn.fund": earnCall("operator", "fund", OPEN, 9n),
  "ReferralRebate.syncRebates": referralCall("operator", "syncRebates", stringToHex("2", { size: 32 }), [ALICE], [3n]),
  "Vault.deposit": vaultCall("alice", "deposit", 9n),
  "Vault.depositFor": vaultCall("alice", "depositFor", ALICE, 9n),
  "Vault.contribute": vaultCall("alice", "contribute", ID, 9n),
};
const outgoing: Readonly<Record<string, Call>> = {
  "Earn.claim": earnCall("alice", "claim", SETTLED),
  "Earn.emergencyClaim": earnCall("alice", "emergencyClaim", CANCELLED),
  "Earn.withdrawExcess": earnCall("operator", "withdrawExcess", CANCELLED, ALICE),
  "ReferralRebate.claim": referralCall("alice", "claim"),
  "Vault.withdraw": vaultCall("operator", "withdraw", ID, ALICE, 9n),
  "Vault.payout": vaultCall("operator", "payout", ID, ALICE, 9n),
};
/** These move no tokens, but must not be reachable during a call that does. */
const still: Readonly<Record<string, Call>> = {
  "Earn.settle": earnCall("carol", "settle", RUNNING),
  "Earn.cancel": earnCall("operator", "cancel", OPEN),
};
const guarded = { ...incoming, ...outgoing, ...still };

for (const [name, call] of Object.entries({ ...incoming, ...outgoing })) {
  test(`${name} moves tokens as long as the token behaves`, async () => {
    const tokensBefore = await tokensOf(call.to);
    await send(call);
    const isIncoming = Object.hasOwn(incoming, name);
    assert.equal((await tokensOf(call.to)) > tokensBefore, isIncoming);
    assert.equal((await tokensOf(call.to)) < tokensBefore, !isIncoming);
  });

  test(`during ${name} a token cannot call back any function that moves money or decides about it`, async () => {
    for (const inner of Object.values(guarded).filter(({ to }) => to === call.to)) {
      await setToken("callBack", inner.to, inner.data);
      await refuses(attempt(call), "ReentrancyGuardReentrantCall");
    }
  });

  test(`${name} fails when the token says no without failing`, async () => {
    await setToken("setRefusing", true);
    await refuses(attempt(call), "SafeERC20FailedOperation", [token]);
  });
}

for (const [name, call] of Object.entries(incoming)) {
  test(`${name} refuses a token that keeps a fee, so that the books never promise more than there is`, async () => {
    await setToken("setFee", 1n);
    await refuses(attempt(call), "UnexpectedAmountReceived");
  });
}

test("a wallet that is a contract and knows nothing of receipts subscribes and is paid back", async () => {
  const through = async (call: Call) => {
    const args = [call.to, call.data];
    const data = encodeFunctionData({ abi: contractWallet.abi, functionName: "execute", args });
    await send({ by: "bob", to: walletContract, data });
  };
  const tokensBefore = await tokensOf(walletContract);
  const args = await subscription(walletContract, OPEN, AMOUNT);
  await through(earnCall("bob", "subscribe", ...args));
  const owner = await chain.client.readContract({ address: earn, abi: earnAbi, functionName: "ownerOf", args: [3n] });
  assert.equal(owner, walletContract);
  assert.equal(await tokensOf(walletContract), tokensBefore - AMOUNT);
  await send(earnCall("operator", "cancel", OPEN));
  await through(earnCall("bob", "emergencyClaim", OPEN));
  assert.equal(await tokensOf(walletContract), tokensBefore);
});
