import { contributionPurposes, vaultAbi } from "@bourse/contracts";
import { type Address, encodeFunctionData, erc20Abi, type Hex } from "viem";
import type { OperatorMoney } from "../../chain/index.ts";
import { moneyText } from "../../kernel/units.ts";
import type { BonusOptions } from "../options.ts";
import { type PaymentPlan, PaymentPlans } from "./payment-plans.ts";
import { type BackingSums, backingView, owed_micros } from "./report.ts";
import { consumedInAll_micros } from "./shadow.ts";

export interface BonusBackingOptions
  extends Pick<BonusOptions, "database" | "clock" | "log" | "exchange" | "client" | "operator" | "contracts"> {
  readonly money: Pick<OperatorMoney, "provide">;
  /** The wallet that pays; undefined if the operator pays itself. */
  readonly pool: Address | undefined;
}

export interface BackingReport {
  readonly consumed: string;
  readonly contributed: string;
  readonly owed: string;
  /** The amount paid by this run. */
  readonly paid: string;
  readonly tx_hash?: Hex;
  /** Why the run did not pay everything that is owed. */
  readonly hold_up?: string;
}

/** The smallest payment that is worth a transaction. */
const MIN_micros = 1_000_000n;

/** An account that payments can be made from. */
interface Source {
  readonly available_micros: bigint;
  readonly hold_up: string;
}

/**
 * VLT-2: pays the amount that bonus accounts have consumed into the Vault, because the wallets that won it may withdraw it. The sum
 * already paid is read from the Vault, and a payment's reference contains that sum, so that no payment is made twice.
 */
export class BonusBacking {
  readonly #options: BonusBackingOptions;
  readonly #plans: PaymentPlans;

  constructor(options: BonusBackingOptions) {
    this.#options = options;
    this.#plans = new PaymentPlans(options);
  }

  /** Undefined while the chain does not answer. */
  async sums(): Promise<BackingSums | undefined> {
    try {
      return await this.#sums();
    } catch (err) {
      this.#options.log.warn({ err }, "the Vault could not be asked what was paid in for bonuses");
      return undefined;
    }
  }

  async pay(): Promise<BackingReport> {
    const before = await this.#sums();
    const plan = await this.#plan(before);
    if ("hold_up" in plan) return { ...backingView(before), paid: moneyText(0), ...(plan.hold_up === "" ? {} : plan) };
    const outcome = await this.#execute(plan);
    const after = await this.#sums();
    const paid = moneyText(after.contributed_micros - before.contributed_micros);
    return { ...backingView(after), paid, ...outcome };
  }

  async #sums(): Promise<BackingSums> {
    const { exchange, client, contracts } = this.#options;
    const contributed_micros = await client.public.readContract({
      address: contracts.vault,
      abi: vaultAbi,
      functionName: "contributedFor",
      args: [contributionPurposes.bonus],
    });
    return { consumed_micros: consumedInAll_micros(exchange.engine), contributed_micros };
  }

  /** Returns the unfinished payment; otherwise plans as much of the debt as can be paid. */
  async #plan(sums: BackingSums): Promise<PaymentPlan | { readonly hold_up: string }> {
    const begun = await this.#plans.find(sums.contributed_micros);
    if (begun !== undefined) return begun;
    const owed = owed_micros(sums);
    if (owed < MIN_micros) return { hold_up: "" };
    const { available_micros, hold_up } = await this.#source(owed);
    const amount_micros = owed < available_micros ? owed : available_micros;
    if (amount_micros < MIN_micros) return { hold_up };
    return await this.#plans.begin(sums.contributed_micros, amount_micros);
  }

  async #source(owed_micros: bigint): Promise<Source> {
    const { operator, contracts, money, pool } = this.#options;
    if (pool === undefined) {
      await money.provide(owed_micros, contracts.vault);
      const balance = await this.#balanceOf(operator.address);
      // The operator's tokens may be committed to other payments: pay everything or nothing.
      const available_micros = balance >= owed_micros ? owed_micros : 0n;
      return { available_micros, hold_up: `the operator has ${moneyText(balance)} USDT` };
    }
    const [balance, allowance] = await Promise.all([this.#balanceOf(pool), this.#allowanceOf(pool)]);
    const available_micros = balance < allowance ? balance : allowance;
    const figures = `it has ${moneyText(balance)} USDT and allows the operator ${moneyText(allowance)} USDT`;
    return { available_micros, hold_up: `the bonus pool's wallet does not reach for it: ${figures}` };
  }

  async #execute(plan: PaymentPlan): Promise<Pick<BackingReport, "tx_hash" | "hold_up">> {
    const { operator, contracts, money, pool } = this.#options;
    if (pool !== undefined) {
      const pulled = await operator.send({ ref: plan.pullRef, to: contracts.usdt, data: this.#pullData(pool, plan) });
      if (pulled.state === "unknown") return { hold_up: "the transfer from the bonus pool's wallet is on its way" };
      // No tokens have moved: the next run may find that a different amount can be paid.
      if (pulled.state !== "confirmed") {
        await this.#plans.drop(plan);
        return { hold_up: `the bonus pool's wallet does not pay: ${reasonOf(pulled)}` };
      }
    }
    await money.provide(plan.amount_micros, contracts.vault);
    const args = [contributionPurposes.bonus, plan.amount_micros] as const;
    const data = encodeFunctionData({ abi: vaultAbi, functionName: "contribute", args });
    const paid = await operator.send({ ref: plan.payRef, to: contracts.vault, data });
    if (paid.state === "confirmed") return { tx_hash: paid.hash };
    if (paid.state === "unknown") return { hold_up: "the payment into the Vault is on its way" };
    // A transaction that reverted, or that can never be mined, has used up its reference.
    await this.#plans.renamePayment(plan);
    return { hold_up: `the Vault was not paid: ${reasonOf(paid)}` };
  }

  #pullData(pool: Address, { amount_micros }: PaymentPlan): Hex {
    const args = [pool, this.#options.operator.address, amount_micros] as const;
    return encodeFunctionData({ abi: erc20Abi, functionName: "transferFrom", args });
  }

  #balanceOf(owner: Address): Promise<bigint> {
    const { client, contracts } = this.#options;
    return client.public.readContract({
      address: contracts.usdt,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [owner],
    });
  }

  /** The amount that the operator may take from the owner. */
  #allowanceOf(owner: Address): Promise<bigint> {
    const { client, contracts, operator } = this.#options;
    return client.public.readContract({
      address: contracts.usdt,
      abi: erc20Abi,
      functionName: "allowance",
      args: [owner, operator.address],
    });
  }
}

const reasonOf = (outcome: { readonly state: string; readonly reason?: string | null; readonly hash?: Hex }) =>
  outcome.reason ?? `reverted in ${outcome.hash}`;
