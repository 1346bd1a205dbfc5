import assert from "node:assert/strict";
import test, { after, beforeEach } from "node:test";
import { type Address, type Hex, parseEther } from "viem";
import { deployContracts, plannedAddresses, roles, testUsdtAbi, vaultAbi } from "../src/index.ts";
import { deployFor, startNamedChain, wallets } from "./support/world.ts";

const chain = await startNamedChain();
const goBack = await chain.mark();
beforeEach(goBack);
after(() => chain.close());

const DEPLOYER = wallets.deployer.address;
const hasRole = (contract: Address, role: Hex, account: Address) =>
  chain.client.readContract({ address: contract, abi: vaultAbi, functionName: "hasRole", args: [role, account] });
const sentBy = (address: Address) => chain.client.getTransactionCount({ address });

test("the contracts of a deployer have addresses that are known before", async () => {
  const addresses = await deployFor(chain);
  assert.deepEqual(addresses, plannedAddresses(DEPLOYER));
  assert.deepEqual(addresses, {
    usdt: "0x6b60E3d84B042bF548433B437818Caa50Ef7709e",
    earn: "0x965E0eb0d398A29cd3ff36ddb0bB46E0a2333001",
    referral: "0xBCBF34819Dc8EDB00D08F783E5d992d45c079892",
    vault: "0x0D264f51d8EAaDcaC302193fd5C961FEecbCf5bB",
  });
  for (const address of [addresses.earn, addresses.referral, addresses.vault]) {
    const asset = await chain.client.readContract({ address, abi: vaultAbi, functionName: "asset" });
    assert.equal(asset, addresses.usdt);
  }
});

test("each role has the holder it was meant for, and the deployer has none", async () => {
  const { usdt, earn, referral, vault } = await deployFor(chain);
  for (const contract of [earn, referral, vault]) {
    assert.equal(await hasRole(contract, roles.admin, wallets.admin.address), true);
    assert.equal(await hasRole(contract, roles.operator, wallets.operator.address), true);
    assert.equal(await hasRole(contract, roles.pauser, wallets.pauser.address), true);
  }
  assert.equal(await hasRole(earn, roles.signer, wallets.signer.address), true);
  assert.equal(await hasRole(usdt, roles.minter, wallets.minter.address), true);
  assert.equal(await hasRole(usdt, roles.admin, wallets.admin.address), true);
  for (const contract of [usdt, earn, referral, vault]) {
    for (const role of Object.values(roles)) assert.equal(await hasRole(contract, role, DEPLOYER), false);
  }
});

test("a deployer that is the admin stays it", async () => {
  const holders = { operator: DEPLOYER, earnSigner: DEPLOYER, pauser: DEPLOYER, minter: DEPLOYER };
  const { usdt, vault } = await deployContracts({
    client: chain.client,
    wallet: chain.walletClient(wallets.deployer),
    roles: { admin: DEPLOYER, ...holders },
  });
  assert.equal(await hasRole(usdt, roles.admin, DEPLOYER), true);
  assert.equal(await hasRole(vault, roles.admin, DEPLOYER), true);
});

test("a second deployment finds everything done and sends nothing", async () => {
  const first = await deployFor(chain);
  const sent = await sentBy(DEPLOYER);
  assert.deepEqual(await deployFor(chain), first);
  assert.equal(await sentBy(DEPLOYER), sent);
});

test("a deployment that was cut off after any of its transactions is carried to its end", async () => {
  const whole = await deployFor(chain);
  const total = await sentBy(DEPLOYER);
  for (let done = 1; done < total; done += 1) {
    await goBack();
    const wallet = chain.walletClient(wallets.deployer);
    let left = done;
    const cutOff = {
      ...wallet,
      sendTransaction: (...args: Parameters<typeof wallet.sendTransaction>) => {
        if (left === 0) throw new Error("cut off");
        left -= 1;
        return wallet.sendTransaction(...args);
      },
      writeContract: (...args: Parameters<typeof wallet.writeContract>) => {
        if (left === 0) throw new Error("cut off");
        left -= 1;
        return wallet.writeContract(...args);
      },
    } as typeof wallet;
    await assert.rejects(deployFor({ ...chain, walletClient: () => cutOff }), /cut off/);
    assert.equal(await sentBy(DEPLOYER), done);
    assert.deepEqual(await deployFor(chain), whole);
    assert.equal(await sentBy(DEPLOYER), total);
  }
});

test("a deployer that has sent something else is refused", async () => {
  const wallet = chain.walletClient(wallets.deployer);
  await chain.mined(wallet.sendTransaction({ to: wallets.alice.address, value: parseEther("1") }));
  await assert.rejects(deployFor(chain), /has sent 1 transactions, so nothing of it can be deployed at/);
});

test("a token that is there already is used, and no test token is deployed", async () => {
  const { usdt } = await deployFor(chain);
  const addresses = await deployContracts({
    client: chain.client,
    wallet: chain.walletClient(wallets.carol),
    usdt,
    roles: {
      admin: wallets.admin.address,
      operator: wallets.operator.address,
      earnSigner: wallets.signer.address,
      pauser: wallets.pauser.address,
      minter: wallets.alice.address,
    },
  });
  assert.deepEqual(addresses, plannedAddresses(wallets.carol.address, usdt));
  assert.equal(addresses.usdt, usdt);
  assert.equal(await hasRole(usdt, roles.minter, wallets.alice.address), false);
  const name = await chain.client.readContract({ address: usdt, abi: testUsdtAbi, functionName: "name" });
  assert.equal(name, "Test USDT");
});
