import { ByteWriter } from "@bourse/engine";
import { writeFact } from "./fact-codec.ts";
import type { ShownFact } from "./private-facts.ts";

/** Consecutive events of one account, as they are stored. */
export interface EventRow {
  readonly account: number;
  readonly first_seq: number;
  readonly last_seq: number;
  /** The time of the last event. */
  readonly last_ms: number;
  readonly events: Uint8Array;
}

interface Gathered {
  first_seq: number;
  last_seq: number;
  last_ms: number;
  readonly pieces: Uint8Array[];
}

/** Encoded events of all accounts in the order of arrival; `rows` groups them by account. */
export class EventBatch {
  readonly #writer = new ByteWriter();
  readonly #accounts: number[] = [];
  readonly #seqs: number[] = [];
  readonly #times_ms: number[] = [];
  readonly #ends: number[] = [];

  get length_bytes(): number {
    return this.#writer.length;
  }

  get isEmpty(): boolean {
    return this.#accounts.length === 0;
  }

  add(account: number, seq: number, fact: ShownFact): void {
    this.#writer.number(seq);
    writeFact(this.#writer, fact);
    this.#accounts.push(account);
    this.#seqs.push(seq);
    this.#times_ms.push(fact.time_ms);
    this.#ends.push(this.#writer.length);
  }

  clear(): void {
    this.#writer.clear();
    for (const list of [this.#accounts, this.#seqs, this.#times_ms, this.#ends]) list.length = 0;
  }

  /** One row for each account. Rows hold copies, so that the batch can be reused. */
  rows(): EventRow[] {
    const gathered = new Map<number, Gathered>();
    const { bytes } = this.#writer;
    let start = 0;
    for (const [place, end] of this.#ends.entries()) {
      const account = this.#accounts[place]!;
      const [last_seq, last_ms] = [this.#seqs[place]!, this.#times_ms[place]!];
      const piece = bytes.subarray(start, end);
      const own = gathered.get(account);
      if (own === undefined) gathered.set(account, { first_seq: last_seq, last_seq, last_ms, pieces: [piece] });
      else {
        own.last_seq = last_seq;
        own.last_ms = last_ms;
        own.pieces.push(piece);
      }
      start = end;
    }
    return [...gathered].map(([account, { pieces, ...row }]) => ({ account, ...row, events: Buffer.concat(pieces) }));
  }
}
