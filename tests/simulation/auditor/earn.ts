import type { EarnSubscription, ProductDetail } from "@bourse/api";
import { earnAbi, testUsdtAbi, vaultAbi } from "@bourse/contracts";
import type { Address } from "viem";
import type { World } from "../ground/world.ts";
import { shown, sum } from "./arithmetic.ts";
import type { AuditContext, Section } from "./auditor.ts";

/** INV-5, and the tokens of all wallets on the chain: minted, paid in, paid out, saved and claimed. */
export class ChainSection implements Section {
  readonly #world: World;
  readonly #minted: bigint;

  constructor(world: World, minted: bigint) {
    this.#world = world;
    this.#minted = minted;
  }

  async audit(context: AuditContext): Promise<void> {
    await this.#auditEarn(context);
    await this.#auditTokens(context);
  }

  async #auditEarn({ notes, people, ledger, client }: AuditContext): Promise<void> {
    const { reader, contracts } = this.#world.node;
    const contract = { address: contracts.earn, abi: earnAbi } as const;
    let principals = 0n;
    for (const person of people) {
      const own = notes.subscriptions.filter((note) => note.person === person);
      if (own.length === 0) continue;
      const { subscriptions } = await person.get<{ subscriptions: EarnSubscription[] }>("/earn/subscriptions");
      const [first] = own;
      const saved = sum(own.map(({ amount }) => amount));
      const [position] = subscriptions;
      ledger.equal("earn", subscriptions.length, 1, `${person.name}: positions listed`);
      ledger.equal("earn", position?.principal ?? "0", saved.toString(), `${person.name}: the principal listed`);
      const args = [person.wallet.address, first!.chainProductId] as const;
      const { principal } = await reader.readContract({ ...contract, functionName: "position", args });
      const standing = position?.claimed === true ? 0n : saved;
      ledger.equal("INV-5", principal, standing, `${person.name}: the contract's principal`);
      principals += principal;
    }
    const held = await this.#balance(contracts.earn);
    ledger.check("INV-5", held >= principals, () => `the contract holds ${shown(held)}, it owes ${shown(principals)}`);
    for (const productId of new Set(notes.subscriptions.map((note) => note.productId))) {
      const product = await client.get<ProductDetail>(`/earn/products/${productId}`);
      const own = notes.subscriptions.filter((note) => note.productId === productId);
      const saved = sum(own.map(({ amount }) => amount));
      ledger.equal("earn", product.subscribed_amount, saved.toString(), "the product's amount");
    }
  }

  async #auditTokens({ notes, people, ledger }: AuditContext): Promise<void> {
    const { reader, contracts } = this.#world.node;
    const range = { fromBlock: 0n, strict: true } as const;
    const vault = { ...range, address: contracts.vault, abi: vaultAbi } as const;
    const paid = await reader.getContractEvents({ ...vault, eventName: "Withdrawn" });
    const earn = { ...range, address: contracts.earn, abi: earnAbi } as const;
    const claimed = await reader.getContractEvents({ ...earn, eventName: "Claimed" });
    for (const person of people) {
      const isOwn = (address: string) => address.toLowerCase() === person.address;
      const deposited = sum(notes.deposits.filter((note) => note.person === person).map(({ amount }) => amount));
      const saved = sum(notes.subscriptions.filter((note) => note.person === person).map(({ amount }) => amount));
      const withdrawals = [...notes.withdrawals.values()].filter(
        (note) => note.person === person && note.id !== undefined,
      );
      const withdrawn = sum(paid.filter(({ args }) => isOwn(args.to)).map(({ args }) => args.amount));
      const returned = sum(
        claimed.filter(({ args }) => isOwn(args.user)).map(({ args }) => args.principal + args.interest),
      );
      const expected = this.#minted - deposited - saved + withdrawn + returned;
      const has = await this.#balance(person.wallet.address);
      ledger.equal("chain", shown(has), shown(expected), `${person.name}: tokens on the chain`);
      for (const { id, amount, requestId } of withdrawals) {
        const payments = paid.filter(({ args }) => args.id.startsWith(`0x${id!.replaceAll("-", "")}`));
        const found = payments.map(({ args }) => args.amount).join();
        ledger.check("withdrawal", found === String(amount) || found === "", () => `${requestId} was paid ${found}`);
      }
    }
  }

  #balance(owner: Address): Promise<bigint> {
    const { reader, contracts } = this.#world.node;
    const call = { address: contracts.usdt, abi: testUsdtAbi, functionName: "balanceOf", args: [owner] } as const;
    return reader.readContract(call);
  }
}
