import { contributionPurposes, vaultAbi } from "@bourse/contracts";
import { type Address, encodeFunctionData, erc20Abi, type Hex } from "viem";
import type { OperatorMoney } from "../../chain/operator-money.ts";
import { moneyText } from "../../exchange/units.ts";
import type { BonusOptions } from "../options.ts";
import { type PaymentPlan, PaymentPlans } from "./payment-plans.ts";
import { type BackingSums, backingView, owed_micros } from "./report.ts";
import { consumedInAll_micros } from "./shadow.ts";

export interface BonusBackingOptions
  extends Pick<BonusOptions, "database" | "clock" | "log" | "exchange" | "client" | "operator" | "contracts"> {
  readonly money: Pick<OperatorMoney, "provide">;
  /** The wallet that pays; undefined where the operator does so itself. */
  readonly pool: Address | undefined;
}

export interface BackingReport {
  readonly consumed: string;
  readonly contributed: string;
  readonly owed: string;
  /** By this run. */
  readonly paid: string;
  readonly tx_hash?: Hex;
  /** Why it is not all paid. */
  readonly hold_up?: string;
}

/** Less is not worth a transaction. */
const LEAST_micros = 1_000_000n;

/** What a payment can be made from. */
interface Source {
  readonly available_micros: bigint;
  readonly hold_up: string;
}

/**
 * VLT-2: pays into the Vault what bonus accounts have consumed: those who won it from them may withdraw it. What the Vault
 * has been paid for bonuses counts, and a payment has the name of what was there before, so that none is made twice.
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

  /** What was begun, else what can be paid of what is owed. */
  async #plan(sums: BackingSums): Promise<PaymentPlan | { readonly hold_up: string }> {
    const begun = await this.#plans.find(sums.contributed_micros);
    if (begun !== undefined) return begun;
    const owed = owed_micros(sums);
    if (owed < LEAST_micros) return { hold_up: "" };
    const { available_micros, hold_up } = await this.#source(owed);
    const amount_micros = owed < available_micros ? owed : available_micros;
    if (amount_micros < LEAST_micros) return { hold_up };
    return await this.#plans.begin(sums.contributed_micros, amount_micros);
  }

  async #source(owed_micros: bigint): Promise<Source> {
    const { operator, contracts, money, pool } = this.#options;
    if (pool === undefined) {
      await money.provide(owed_micros, contracts.vault);
      const balance = await this.#balanceOf(operator.address);
      // The operator's tokens may be on their way to somebody: all of it or nothing.
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
      // Nothing has moved: the next run may find that less, or more, can be paid.
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
    // What was mined without effect, or can never be mined, has used its name up.
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

  /** What the operator may take of it. */
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
