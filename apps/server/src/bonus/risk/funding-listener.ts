import type { ChainEvent, ChainListener, EventOf } from "../../chain/index.ts";
import type { Tx } from "../../kernel/database/database.ts";
import { withdrawalOf } from "../../wallet/index.ts";
import { bonusTx } from "../tables.ts";
import { type FundingRow, removeFunding, withdrawalOwners, writeFunding } from "./funding-store.ts";
import { isFunding } from "./sources.ts";

type Deposited = Extract<EventOf<"vault">, { name: "Deposited" }>;
type Withdrawn = Extract<EventOf<"vault">, { name: "Withdrawn" }>;

const isDeposited = (event: ChainEvent): event is Deposited => event.contract === "vault" && event.name === "Deposited";
const isWithdrawn = (event: ChainEvent): event is Withdrawn => event.contract === "vault" && event.name === "Withdrawn";

const placeOf = ({ transactionHash, ordinal, blockNumber }: ChainEvent) => ({
  tx_hash: transactionHash,
  ordinal,
  block_number: blockNumber,
});

/** BON-12: records payments between wallets through the Vault: deposits for another wallet, and withdrawals to another wallet. */
export class FundingListener implements ChainListener {
  readonly name = "bonus-funding";
  readonly #platform: ReadonlySet<string>;

  constructor(platform: ReadonlySet<string>) {
    this.#platform = platform;
  }

  async apply(tx: Tx, events: readonly ChainEvent[]): Promise<void> {
    const withdrawn = events.filter(isWithdrawn);
    const ids = withdrawn.map(({ args }) => withdrawalOf(args.id)).filter((id) => id !== undefined);
    const owners = await withdrawalOwners(tx, ids);
    const rows = [
      ...events.filter(isDeposited).map(depositRow),
      ...withdrawn.map((event) => withdrawalRow(event, owners)).filter((row) => row !== undefined),
    ];
    const telling = rows.filter((row) => isFunding({ ...row, amount: row.amount_micros }, this.#platform));
    await writeFunding(bonusTx(tx), telling);
  }

  async undo(tx: Tx, events: readonly ChainEvent[]): Promise<void> {
    const keys = [
      ...events.filter(isDeposited).map((event) => ({ ...placeOf(event), kind: "deposit" as const })),
      ...events.filter(isWithdrawn).map((event) => ({ ...placeOf(event), kind: "withdrawal" as const })),
    ];
    await removeFunding(bonusTx(tx), keys);
  }
}

function depositRow(event: Deposited): FundingRow {
  const { payer, account, amount } = event.args;
  const wallets = { source: payer.toLowerCase(), address: account.toLowerCase() };
  return { ...placeOf(event), kind: "deposit", ...wallets, amount_micros: amount };
}

/** Undefined if the payment is not a wallet's withdrawal. */
function withdrawalRow(event: Withdrawn, owners: ReadonlyMap<string, string>): FundingRow | undefined {
  const { id, to, amount } = event.args;
  const source = owners.get(withdrawalOf(id) ?? "");
  if (source === undefined) return undefined;
  return { ...placeOf(event), kind: "withdrawal", source, address: to.toLowerCase(), amount_micros: amount };
}
