import type { earnAbi, referralRebateAbi, testUsdtAbi, vaultAbi } from "@bourse/contracts";
import type { ContractEventName, DecodeEventLogReturnType, Hex } from "viem";
import type { Tx } from "../../kernel/database/database.ts";

interface Abis {
  readonly earn: typeof earnAbi;
  readonly referral: typeof referralRebateAbi;
  readonly vault: typeof vaultAbi;
  /** Only its transfers, and of those only the ones into or out of the other three contracts. */
  readonly usdt: typeof testUsdtAbi;
}

export type ContractName = keyof Abis;

/** Where an event is on the chain. */
export interface ChainPlace {
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly blockTime_ms: number;
  readonly transactionHash: Hex;
  /** Within its block. A transaction that is mined again in another block may get another one. */
  readonly logIndex: number;
  /**
   * The how many-th event of this contract and name it is within its transaction, from 0 on. Together with the
   * transaction's hash it names the event, also when its transaction is mined again.
   */
  readonly ordinal: number;
}

type Decoded<Contract extends ContractName, Name extends string> = ChainPlace & {
  readonly contract: Contract;
  readonly name: Name;
  readonly args: Name extends ContractEventName<Abis[Contract]>
    ? DecodeEventLogReturnType<Abis[Contract], Name>["args"]
    : never;
};

/** Every event of these contracts: `contract` and `name` tell which, `args` are then typed. */
export type EventOf<Contract extends ContractName> = {
  [Name in ContractEventName<Abis[Contract]>]: Decoded<Contract, Name>;
}[ContractEventName<Abis[Contract]>];

export type ChainEvent = { [Contract in ContractName]: EventOf<Contract> }[ContractName];

/**
 * Who acts on what happened on the chain. It only writes to the database, in the transaction that also moves the
 * indexer's cursor; commands for the engine go through the outbox. So each event is applied once, or not at all, and
 * nothing is to be remembered in memory or sent anywhere from here.
 */
export interface ChainListener {
  readonly name: string;
  /** Events of one or more blocks, of all contracts, in the chain's order. Never called with none. */
  apply(tx: Tx, events: readonly ChainEvent[]): Promise<void>;
  /** Takes back what these events did: their blocks are no longer part of the chain. Newest first, all applied before. */
  undo(tx: Tx, events: readonly ChainEvent[]): Promise<void>;
}
