import { type ContractAddresses, earnAbi, referralRebateAbi, testUsdtAbi, vaultAbi } from "@bourse/contracts";
import { type Address, DecodeLogDataMismatch, decodeEventLog, type Hex, toEventSelector } from "viem";
import type { ChainEvent, ChainPlace, ContractName } from "./listener.ts";

const ABIS = { earn: earnAbi, referral: referralRebateAbi, vault: vaultAbi, usdt: testUsdtAbi } as const;
const TRANSFER = toEventSelector("Transfer(address,address,uint256)");

/** A log as nodes return it. */
export interface RawLog {
  readonly address: string;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: number;
}

/** A filter of logs by addresses and topics; null matches any topic. */
export interface LogFilter {
  readonly address: readonly Address[];
  readonly topics: readonly (Hex | readonly Hex[] | null)[];
}

const asTopic = (address: Address): Hex => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;

/** The followed contracts, and the decoding of their logs. */
export class ContractLogs {
  readonly addresses: ContractAddresses;
  readonly #names: ReadonlyMap<string, ContractName>;

  constructor(addresses: ContractAddresses) {
    this.addresses = addresses;
    const names = Object.entries(addresses) as [ContractName, Address][];
    this.#names = new Map(names.map(([name, address]) => [address.toLowerCase(), name]));
  }

  /** Other parties use the token too: only transfers into or out of the platform's contracts are requested. */
  get filters(): readonly LogFilter[] {
    const { usdt, earn, referral, vault } = this.addresses;
    const own = [earn, referral, vault];
    const ownTopics = own.map(asTopic);
    return [
      { address: own, topics: [] },
      { address: [usdt], topics: [TRANSFER, null, ownTopics] },
      { address: [usdt], topics: [TRANSFER, ownTopics] },
    ];
  }

  /** The contracts as one text, which changes with any address. */
  get fingerprint(): string {
    const { usdt, earn, referral, vault } = this.addresses;
    return [usdt, earn, referral, vault].map((address) => address.toLowerCase()).join(" ");
  }

  nameOf(address: string): ContractName | undefined {
    return this.#names.get(address.toLowerCase());
  }
}

export interface DecodedLog {
  readonly contract: ContractName;
  readonly name: string;
  readonly args: unknown;
}

/** Decodes a log of a contract; undefined if it is not one of its known events. */
export function decodeLog(contract: ContractName, { topics, data }: Pick<RawLog, "topics" | "data">) {
  const [signature, ...indexed] = topics;
  if (signature === undefined) return undefined;
  try {
    const { eventName, args } = decodeEventLog({ abi: ABIS[contract], topics: [signature, ...indexed], data });
    return { contract, name: eventName, args } satisfies DecodedLog;
  } catch (error) {
    // An event that the contract does not declare, or one of the same name with other fields.
    if (error instanceof DecodeLogDataMismatch || isUnknownEvent(error)) return undefined;
    throw error;
  }
}

const UNKNOWN_EVENTS = new Set(["AbiEventSignatureNotFoundError", "DecodeLogTopicsMismatch"]);
const isUnknownEvent = (error: unknown) => error instanceof Error && UNKNOWN_EVENTS.has(error.name);

/** Contract, name and fields match because they were decoded together. */
export const eventFrom = (decoded: DecodedLog, place: ChainPlace): ChainEvent =>
  ({ ...place, ...decoded }) as unknown as ChainEvent;
