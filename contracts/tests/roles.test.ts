import assert from "node:assert/strict";
import test, { after, beforeEach } from "node:test";
import { type Abi, stringToHex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { earnAbi, referralRebateAbi, roles, testUsdtAbi, vaultAbi } from "../src/index.ts";
import { openProduct, START, termsWith } from "./support/earn-scenes.ts";
import { refuses } from "./support/outcomes.ts";
import { type Name, startWorld, wallets } from "./support/world.ts";

const world = await startWorld();
beforeEach(() => world.reset());
after(() => world.close());
const { usdt, earn, referral, vault, mined, by } = world;

/** One wallet per role, and one without a role. */
const ACTORS: readonly Name[] = ["admin", "operator", "signer", "pauser", "minter", "alice"];
const ID = stringToHex("1", { size: 32 });
const ALICE = wallets.alice.address;

interface Restricted {
  readonly role: keyof typeof roles;
  readonly before?: () => Promise<unknown>;
  attempt(caller: { readonly account: PrivateKeyAccount }): Promise<unknown>;
}

interface Matrix {
  readonly abi: Abi;
  readonly restricted: Readonly<Record<string, Restricted>>;
  /** What any wallet may call for itself. */
  readonly open: readonly string[];
}

const ROLE_CALLS = ["grantRole", "revokeRole", "renounceRole"];
const roleCalls = (
  contract: typeof usdt | typeof earn | typeof referral | typeof vault,
): Record<string, Restricted> => {
  const { simulate } = contract as typeof vault;
  return {
    grantRole: { role: "admin", attempt: (caller) => simulate.grantRole([roles.operator, ALICE], caller) },
    revokeRole: { role: "admin", attempt: (caller) => simulate.revokeRole([roles.operator, ALICE], caller) },
  };
};

const cancelled = async () => {
  const productId = await openProduct(world);
  await mined(earn.write.fund([productId, 5n], by("alice")));
  await mined(earn.write.cancel([productId], by("operator")));
};
const created = () => openProduct(world, { subscribeStart: START + 9 }).then(() => world.chain.moveTo(START + 9));
const unstarted = () => mined(earn.write.createProduct([termsWith()], by("operator")));
const deposited = () => mined(vault.write.deposit([100n], by("alice")));

const matrices: Readonly<Record<string, Matrix>> = {
  TestUSDT: {
    abi: testUsdtAbi,
    restricted: {
      ...roleCalls(usdt),
      mint: { role: "minter", attempt: (caller) => usdt.simulate.mint([ALICE, 1n], caller) },
    },
    open: ["approve", "permit", "transfer", "transferFrom"],
  },
  Earn: {
    abi: earnAbi,
    restricted: {
      ...roleCalls(earn),
      createProduct: { role: "operator", attempt: (caller) => earn.simulate.createProduct([termsWith()], caller) },
      updateProduct: {
        role: "operator",
        before: unstarted,
        attempt: (caller) => earn.simulate.updateProduct([1n, termsWith()], caller),
      },
      cancel: { role: "operator", before: created, attempt: (caller) => earn.simulate.cancel([1n], caller) },
      withdrawExcess: {
        role: "operator",
        before: cancelled,
        attempt: (caller) => earn.simulate.withdrawExcess([1n, ALICE], caller),
      },
      pause: { role: "pauser", attempt: (caller) => earn.simulate.pause(caller) },
      unpause: {
        role: "pauser",
        before: () => mined(earn.write.pause(by("pauser"))),
        attempt: (caller) => earn.simulate.unpause(caller),
      },
    },
    open: [
      ...["subscribe", "fund", "settle", "claim", "emergencyClaim"],
      ...["approve", "setApprovalForAll", "transferFrom", "safeTransferFrom"],
    ],
  },
  ReferralRebate: {
    abi: referralRebateAbi,
    restricted: {
      ...roleCalls(referral),
      setTier: { role: "operator", attempt: (caller) => referral.simulate.setTier([ALICE, 1], caller) },
      setTierTerms: { role: "admin", attempt: (caller) => referral.simulate.setTierTerms([1, 2, 3], caller) },
      syncRebates: {
        role: "operator",
        attempt: (caller) => referral.simulate.syncRebates([ID, [ALICE], [1n]], caller),
      },
      pause: { role: "pauser", attempt: (caller) => referral.simulate.pause(caller) },
      unpause: {
        role: "pauser",
        before: () => mined(referral.write.pause(by("pauser"))),
        attempt: (caller) => referral.simulate.unpause(caller),
      },
    },
    open: ["registerCode", "useCode", "claim"],
  },
  Vault: {
    abi: vaultAbi,
    restricted: {
      ...roleCalls(vault),
      withdraw: {
        role: "operator",
        before: deposited,
        attempt: (caller) => vault.simulate.withdraw([ID, ALICE, 1n], caller),
      },
      payout: {
        role: "operator",
        before: deposited,
        attempt: (caller) => vault.simulate.payout([ID, ALICE, 1n], caller),
      },
      setOutflowLimit: { role: "admin", attempt: (caller) => vault.simulate.setOutflowLimit([1n], caller) },
      setDepositsPaused: { role: "pauser", attempt: (caller) => vault.simulate.setDepositsPaused([true], caller) },
      setPaymentsPaused: { role: "pauser", attempt: (caller) => vault.simulate.setPaymentsPaused([true], caller) },
    },
    open: ["deposit", "depositFor", "contribute"],
  },
};

for (const [contract, { abi, restricted, open }] of Object.entries(matrices)) {
  test(`every function of ${contract} that changes something is either restricted or open on purpose`, () => {
    const writing = abi.flatMap((item) =>
      item.type === "function" && (item.stateMutability === "nonpayable" || item.stateMutability === "payable")
        ? [item.name]
        : [],
    );
    const known = new Set([...Object.keys(restricted), ...open, ...ROLE_CALLS]);
    assert.deepEqual([...new Set(writing)].sort(), [...known].sort());
  });

  for (const [name, { role, before, attempt }] of Object.entries(restricted)) {
    test(`${contract}.${name} can only be called by the ${role}`, async () => {
      await before?.();
      for (const actor of ACTORS) {
        if (actor === role) await attempt(by(actor));
        else {
          const refusal = [wallets[actor].address, roles[role]];
          await refuses(attempt(by(actor)), "AccessControlUnauthorizedAccount", refusal);
        }
      }
    });
  }
}

test("a role can be given up, by its holder only", async () => {
  const args = [roles.operator, wallets.operator.address] as const;
  await refuses(vault.simulate.renounceRole(args, by("alice")), "AccessControlBadConfirmation");
  await mined(vault.write.renounceRole(args, by("operator")));
  assert.equal(await vault.read.hasRole(args), false);
});
