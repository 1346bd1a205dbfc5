import type { earnAbi, referralRebateAbi, testUsdtAbi, vaultAbi } from "@bourse/contracts";
import type { ContractEventName, DecodeEventLogReturnType, Hex } from "viem";
import type { Tx } from "../../kernel/database/database.ts";

interface Abis {
  readonly earn: typeof earnAbi;
  readonly referral: typeof referralRebateAbi;
  readonly vault: typeof vaultAbi;
  /** Only transfers into or out of the other three contracts. */
  readonly usdt: typeof testUsdtAbi;
}

export type ContractName = keyof Abis;

/** The location of an event on the chain. */
export interface ChainPlace {
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly blockTime_ms: number;
  readonly transactionHash: Hex;
  /** Within its block. If the transaction is mined again in another block, the index may differ. */
  readonly logIndex: number;
  /**
   * The index, from 0, of this event among the events of the same contract and name in its transaction. With the transaction's hash
   * it identifies the event, also if the transaction is mined again.
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

/** Every event of these contracts, typed by `contract` and `name`. */
export type EventOf<Contract extends ContractName> = {
  [Name in ContractEventName<Abis[Contract]>]: Decoded<Contract, Name>;
}[ContractEventName<Abis[Contract]>];

export type ChainEvent = { [Contract in ContractName]: EventOf<Contract> }[ContractName];

/**
 * Applies chain events. It only writes to the database, in the transaction that also moves the indexer's cursor; commands for the
 * engine go through the outbox. So each event is applied exactly once, and the listener must not keep state in memory or send
 * anything.
 */
export interface ChainListener {
  readonly name: string;
  /** Events of one or more blocks, of all contracts, in the chain's order. Never empty. */
  apply(tx: Tx, events: readonly ChainEvent[]): Promise<void>;
  /** Undoes applied events whose blocks are no longer part of the chain, newest first. */
  undo(tx: Tx, events: readonly ChainEvent[]): Promise<void>;
}
