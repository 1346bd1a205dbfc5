/** For tests of other parts: deposits without a chain. */
import { createHash } from "node:crypto";
import { chainRef, Deposits, type WalletOptions } from "./deposits.ts";
import { walletDb } from "./tables.ts";

export interface DirectDeposits {
  /** Credits the wallet as if the Vault had reported a deposit, and resolves when the engine has it. */
  credit(
    address: string,
    amount_micros: number,
    name: string,
  ): Promise<{ account: number; isNew: boolean; ref: string }>;
}

/** The transaction hash of a deposit with that name. */
export const transactionOf = (name: string) => `0x${createHash("sha256").update(name).digest("hex")}`;

export function directDeposits(options: WalletOptions): DirectDeposits {
  const { database, directory } = options;
  const deposits = new Deposits(options);
  return {
    async credit(address, amount_micros, name) {
      const deposit = { transactionHash: transactionOf(name), ordinal: 0, blockNumber: 1, address };
      const isNew = await walletDb(database)
        .transaction()
        .execute((tx) => deposits.record(tx, { ...deposit, amount_micros: BigInt(amount_micros) }));
      const ref = chainRef(deposit);
      await deposits.credited(ref);
      return { account: await directory.ensure(address), isNew, ref };
    },
  };
}
