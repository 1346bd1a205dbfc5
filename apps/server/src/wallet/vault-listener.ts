import type { ChainEvent, ChainListener, EventOf } from "../chain/index.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Tx } from "../kernel/database/database.ts";
import type { EngineRequests } from "../kernel/engine-requests/engine-requests.ts";
import type { Deposits } from "./deposits.ts";
import { settleRef } from "./projection.ts";
import type { WalletTables, WalletTx } from "./tables.ts";
import { withdrawalOf } from "./withdrawal-id.ts";
import { withdrawalStates } from "./withdrawal-states.ts";

export interface VaultListenerOptions {
  readonly deposits: Deposits;
  readonly engineRequests: Pick<EngineRequests, "tell">;
  readonly clock: Clock;
  /** Called for events that are skipped, with the reason. */
  readonly onIgnored: (reason: string, event: ChainEvent) => void;
}

type VaultEvent = EventOf<"vault">;
type Deposited = Extract<VaultEvent, { name: "Deposited" }>;
type Withdrawn = Extract<VaultEvent, { name: "Withdrawn" }>;

const MAX_bigint = 2n ** 63n - 1n;

const walletTx = (tx: Tx): WalletTx => tx.$extendTables<WalletTables>() as WalletTx;
const isDeposited = (event: ChainEvent): event is Deposited => event.contract === "vault" && event.name === "Deposited";
const isWithdrawn = (event: ChainEvent): event is Withdrawn => event.contract === "vault" && event.name === "Withdrawn";

/** VLT-1: applies the Vault's events to deposits and withdrawals. */
export class VaultListener implements ChainListener {
  readonly name = "wallet";
  readonly #options: VaultListenerOptions;

  constructor(options: VaultListenerOptions) {
    this.#options = options;
  }

  async apply(tx: Tx, events: readonly ChainEvent[]): Promise<void> {
    for (const event of events) {
      if (isDeposited(event)) await this.#deposit(walletTx(tx), event);
      else if (isWithdrawn(event)) await this.#paid(walletTx(tx), event);
    }
  }

  async undo(tx: Tx, events: readonly ChainEvent[]): Promise<void> {
    for (const event of events) {
      if (isDeposited(event)) await this.#options.deposits.orphan(walletTx(tx), event);
      else if (isWithdrawn(event)) await this.#orphaned(walletTx(tx), event);
    }
  }

  async #deposit(tx: WalletTx, event: Deposited): Promise<void> {
    const { account, amount } = event.args;
    if (amount <= 0n || amount > MAX_bigint) {
      this.#options.onIgnored("the amount is none that there can be", event);
      return;
    }
    const { transactionHash, ordinal, blockNumber } = event;
    const place = { transactionHash, ordinal, blockNumber };
    await this.#options.deposits.record(tx, { ...place, address: account.toLowerCase(), amount_micros: amount });
  }

  async #paid(tx: WalletTx, event: Withdrawn): Promise<void> {
    const { clock, engineRequests, onIgnored } = this.#options;
    const row = await this.#find(tx, event);
    if (row === undefined) return onIgnored("no withdrawal has this id", event);
    const status = withdrawalStates.next(row.status, "paid");
    if (status !== "confirmed") return onIgnored(`the withdrawal ${row.id} is ${row.status}, and was paid`, event);
    const { to, amount } = event.args;
    if (to.toLowerCase() !== row.to_address || amount !== row.amount_micros) {
      onIgnored(`the withdrawal ${row.id} was paid to another wallet or in another amount`, event);
    }
    const now = new Date(clock.now());
    await tx
      .updateTable("withdrawal")
      .set({
        status,
        tx_hash: event.transactionHash,
        paid_block: event.blockNumber,
        hold_up: null,
        settled_at: row.settled_at ?? now,
        updated_at: now,
      })
      .where("id", "=", row.id)
      .execute();
    if (row.settled_at !== null) return;
    const { account, amount_micros } = row;
    const settled = { account, amount_micros: Number(amount_micros), isDone: true };
    await engineRequests.tell(tx, settleRef(row.id), { kind: "settle_withdrawal", ...settled });
  }

  async #orphaned(tx: WalletTx, event: Withdrawn): Promise<void> {
    const row = await this.#find(tx, event);
    if (row === undefined) return;
    const status = withdrawalStates.next(row.status, "orphaned");
    const updated_at = new Date(this.#options.clock.now());
    await tx.updateTable("withdrawal").set({ status, paid_block: null, updated_at }).where("id", "=", row.id).execute();
  }

  async #find(tx: WalletTx, { args }: Withdrawn) {
    const id = withdrawalOf(args.id);
    if (id === undefined) return undefined;
    return await tx.selectFrom("withdrawal").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
  }
}
