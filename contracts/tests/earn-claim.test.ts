import assert from "node:assert/strict";
import test, { after, beforeEach } from "node:test";
import { zeroAddress } from "viem";
import { EARN_STATUSES, earnAbi, earnBytecode } from "../src/index.ts";
import { openProduct, settleFully, subscribe } from "./support/earn-scenes.ts";
import { onlyEvent, refuses } from "./support/outcomes.ts";
import { FIRST_TOKENS, ONE_USDT, startWorld, wallets } from "./support/world.ts";

const world = await startWorld();
beforeEach(() => world.reset());
after(() => world.close());
const { earn, mined, by } = world;
const ALICE = wallets.alice.address;
const BOB = wallets.bob.address;
const AMOUNT = 1_000n * ONE_USDT;
const INTEREST = 9_863_013n;
const [OPEN, SETTLED, CANCELLED] = (["open", "settled", "cancelled"] as const).map((status) =>
  EARN_STATUSES.indexOf(status),
);

test("ERN-8: a claim pays principal and interest and burns the receipt", async () => {
  const productId = await openProduct(world);
  await subscribe(world, "alice", productId, AMOUNT);
  await subscribe(world, "bob", productId, 2n * AMOUNT);
  await settleFully(world, productId);
  const receipt = await mined(earn.write.claim([productId], by("alice")));
  assert.deepEqual(onlyEvent(receipt, earnAbi, "Claimed"), {
    user: ALICE,
    productId,
    principal: AMOUNT,
    interest: INTEREST,
    tokenId: 1n,
  });
  assert.equal(await world.tokensOf(ALICE), FIRST_TOKENS + INTEREST);
  assert.deepEqual(await earn.read.position([ALICE, productId]), { principal: 0n, tokenId: 0n });
  await refuses(earn.read.ownerOf([1n]), "ERC721NonexistentToken", [1n]);
  const { principal, interestOwed, funded, subscribed, subscriberCount } = await earn.read.product([productId]);
  const owedToBob = 19_726_027n;
  assert.deepEqual([principal, interestOwed, funded], [2n * AMOUNT, owedToBob, owedToBob]);
  assert.deepEqual([subscribed, subscriberCount], [3n * AMOUNT, 2]);
  assert.equal(await world.tokensOf(earn.address), 2n * AMOUNT + owedToBob);
});

test("a position is claimed once, by its holder, after the product is settled", async () => {
  const productId = await openProduct(world);
  await subscribe(world, "alice", productId, AMOUNT);
  await refuses(earn.simulate.claim([productId], by("alice")), "WrongStatus", [productId, OPEN, SETTLED]);
  await settleFully(world, productId);
  await refuses(earn.simulate.claim([productId], by("bob")), "NoPosition", [BOB, productId]);
  await mined(earn.write.claim([productId], by("alice")));
  await refuses(earn.simulate.claim([productId], by("alice")), "NoPosition", [ALICE, productId]);
  const wrong = earn.simulate.emergencyClaim([productId], by("alice"));
  await refuses(wrong, "WrongStatus", [productId, SETTLED, CANCELLED]);
});

test("ERN-8: an emergency claim pays the principal of a cancelled product and burns the receipt", async () => {
  const productId = await openProduct(world);
  await subscribe(world, "alice", productId, AMOUNT);
  const early = earn.simulate.emergencyClaim([productId], by("alice"));
  await refuses(early, "WrongStatus", [productId, OPEN, CANCELLED]);
  await mined(earn.write.cancel([productId], by("operator")));
  await refuses(earn.simulate.claim([productId], by("alice")), "WrongStatus", [productId, CANCELLED, SETTLED]);
  await refuses(earn.simulate.emergencyClaim([productId], by("bob")), "NoPosition", [BOB, productId]);
  const receipt = await mined(earn.write.emergencyClaim([productId], by("alice")));
  assert.deepEqual(onlyEvent(receipt, earnAbi, "EmergencyClaimed"), {
    user: ALICE,
    productId,
    principal: AMOUNT,
    tokenId: 1n,
  });
  assert.equal(await world.tokensOf(ALICE), FIRST_TOKENS);
  assert.equal(await world.tokensOf(earn.address), 0n);
  assert.equal(await earn.read.balanceOf([ALICE]), 0n);
  await refuses(earn.simulate.emergencyClaim([productId], by("alice")), "NoPosition", [ALICE, productId]);
});

test("a pause does not keep anyone from what is theirs", async () => {
  const settled = await openProduct(world);
  const cancelled = await openProduct(world);
  await subscribe(world, "alice", settled, AMOUNT);
  await subscribe(world, "alice", cancelled, AMOUNT);
  await mined(earn.write.cancel([cancelled], by("operator")));
  await mined(earn.write.pause(by("pauser")));
  await settleFully(world, settled);
  await mined(earn.write.claim([settled], by("alice")));
  await mined(earn.write.emergencyClaim([cancelled], by("alice")));
  assert.equal(await world.tokensOf(ALICE), FIRST_TOKENS + INTEREST);
});

test("ERN-7: a receipt can be neither transferred nor promised", async () => {
  const productId = await openProduct(world);
  await subscribe(world, "alice", productId, AMOUNT);
  await refuses(earn.simulate.transferFrom([ALICE, BOB, 1n], by("alice")), "ReceiptNotTransferable");
  await refuses(earn.simulate.safeTransferFrom([ALICE, BOB, 1n], by("alice")), "ReceiptNotTransferable");
  await refuses(earn.simulate.safeTransferFrom([ALICE, BOB, 1n, "0x"], by("alice")), "ReceiptNotTransferable");
  await refuses(earn.simulate.transferFrom([ALICE, BOB, 1n], by("bob")), "ReceiptNotTransferable");
  await refuses(earn.simulate.transferFrom([ALICE, zeroAddress, 1n], by("alice")), "ERC721InvalidReceiver");
  await refuses(earn.simulate.approve([BOB, 1n], by("alice")), "ReceiptNotTransferable");
  await refuses(earn.simulate.setApprovalForAll([BOB, true], by("alice")), "ReceiptNotTransferable");
});

test("each user of each product has a receipt of its own, which has the product and the principal", async () => {
  const first = await openProduct(world);
  const second = await openProduct(world);
  await subscribe(world, "alice", first, AMOUNT);
  await subscribe(world, "bob", second, AMOUNT);
  await subscribe(world, "alice", second, 3n * AMOUNT);
  assert.equal(await earn.read.balanceOf([ALICE]), 2n);
  assert.equal(await earn.read.productOf([3n]), second);
  const uri = await earn.read.tokenURI([3n]);
  const [kind, text] = uri.split(",");
  assert.equal(kind, "data:application/json;base64");
  assert.deepEqual(JSON.parse(Buffer.from(text ?? "", "base64").toString("utf8")), {
    name: "Bourse Earn receipt #3",
    description: "A position in a fixed-term product. It cannot be transferred.",
    attributes: [
      { trait_type: "product", value: "2" },
      { trait_type: "principal", value: "3000000000" },
    ],
  });
  await refuses(earn.read.tokenURI([4n]), "ERC721NonexistentToken", [4n]);
});

test("the contract says that it is a receipt and that it has roles", async () => {
  for (const id of ["0x80ac58cd", "0x5b5e139f", "0x7965db0b", "0x01ffc9a7"] as const) {
    assert.equal(await earn.read.supportsInterface([id]), true);
  }
  assert.equal(await earn.read.supportsInterface(["0xffffffff"]), false);
  assert.deepEqual([await earn.read.name(), await earn.read.symbol()], ["Bourse Earn Receipt", "BEARN"]);
});

test("the contract needs a token and an admin", async () => {
  const wallet = world.chain.walletClient(wallets.alice);
  for (const args of [
    [zeroAddress, ALICE],
    [world.usdt.address, zeroAddress],
  ] as const) {
    await refuses(wallet.deployContract({ abi: earnAbi, bytecode: earnBytecode, args }), "ZeroAddress");
  }
});
