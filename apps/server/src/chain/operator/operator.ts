import { setTimeout as sleep } from "node:timers/promises";
import { type Address, type Hex, keccak256, type PrivateKeyAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { type ChainClient, plainReason } from "../client.ts";
import { type Fees, gasLimitFor, raisedFees } from "./fees.ts";
import { type OperatorCall, type OperatorOutcome, outcomeOf, outcomeOfSame } from "./outcome.ts";
import { transactionStates } from "./status.ts";
import {
  attemptsOf,
  changeTransaction,
  findTransaction,
  minedFrom,
  type NewAttempt,
  openTransactions,
  recordAttempt,
  recordTransaction,
} from "./store.ts";
import { type AttemptRow, type OperatorDb, operatorDb, type TransactionRow } from "./tables.ts";
import { isNonceUsed, look, type Sight } from "./watch.ts";

export { type OperatorCall, type OperatorOutcome, ReferenceConflict } from "./outcome.ts";

export interface OperatorOptions {
  readonly client: ChainClient;
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  /** The operator's private key. */
  readonly key: Hex;
  /**
   * Rejects if the chain is not the one that earlier transactions were sent to. Checked before anything is sent: a payment made on
   * one chain must not be repeated on another.
   */
  readonly assertSameChain?: () => Promise<void>;
  /** The number of blocks after which a transaction that is in none of them is offered at a higher fee. */
  readonly stuckAfter_blocks?: number;
}

const STUCK_AFTER_blocks = 10;
const MAX_ATTEMPTS = 10;
const POLL_EMBEDDED_ms = 20;
const POLL_EXTERNAL_ms = 1_000;
const WAIT_ms = 60_000;
/** A node's answer for a transaction that it already has or had. */
const HAS_IT = /already known|already imported|known transaction|already exists/i;

/**
 * Sends transactions with the operator's key, one nonce after the other. The signed bytes are stored before they are sent, and
 * after a crash the same bytes are sent again, so nothing is paid twice.
 */
export class Operator {
  readonly #client: ChainClient;
  readonly #db: OperatorDb;
  readonly #clock: Clock;
  readonly #account: PrivateKeyAccount;
  readonly #sender: string;
  readonly #stuckAfter_blocks: number;
  readonly #assertSameChain: () => Promise<void>;
  #turn: Promise<unknown> = Promise.resolve();
  #nextSync: Promise<void> | undefined;
  readonly #counts = { signed: 0, confirmed: 0, reverted: 0, superseded: 0, raised: 0, refusedByNode: 0, open: 0 };

  constructor({ client, database, clock, key, ...options }: OperatorOptions) {
    const { stuckAfter_blocks = STUCK_AFTER_blocks, assertSameChain = async () => undefined } = options;
    this.#client = client;
    this.#db = operatorDb(database);
    this.#clock = clock;
    this.#account = privateKeyToAccount(key);
    this.#sender = this.#account.address.toLowerCase();
    this.#stuckAfter_blocks = stuckAfter_blocks;
    this.#assertSameChain = assertSameChain;
  }

  get address(): Address {
    return this.#account.address;
  }

  /** For metrics: since the start, and the number open at the last check. */
  get counts(): Readonly<
    Record<"signed" | "confirmed" | "reverted" | "superseded" | "raised" | "refusedByNode" | "open", number>
  > {
    return this.#counts;
  }

  /** Sends the call, or finds the transaction sent under its reference, and waits for the outcome up to the time limit. */
  async send(call: OperatorCall, { wait_ms = WAIT_ms }: { readonly wait_ms?: number } = {}): Promise<OperatorOutcome> {
    const deadline_ms = performance.now() + wait_ms;
    const submitted = await this.submit(call);
    if (submitted.state !== "unknown") return submitted;
    const poll_ms = this.#client.kind === "embedded" ? POLL_EMBEDDED_ms : POLL_EXTERNAL_ms;
    for (;;) {
      await this.sync();
      const outcome = (await this.outcomeOf(call.ref)) ?? submitted;
      if (outcome.state !== "unknown" || performance.now() + poll_ms > deadline_ms) return outcome;
      await sleep(poll_ms);
    }
  }

  /** Stores and sends the call without waiting for the outcome. A known reference is not sent again. */
  submit(call: OperatorCall): Promise<OperatorOutcome> {
    return this.#inTurn(async (): Promise<OperatorOutcome> => {
      const known = await findTransaction(this.#db, call.ref);
      if (known !== undefined) return outcomeOfSame(known, call);
      await this.#assertSameChain();
      const prepared = await this.#prepare(call);
      if ("notSent" in prepared) return prepared.notSent;
      const { draft, fees, head } = prepared;
      const { row, isNew } = await recordTransaction(this.#db, draft, this.#now(), (nonce) =>
        this.#sign({ ...draft, nonce }, fees, head),
      );
      if (!isNew) return outcomeOfSame(row, call);
      this.#counts.signed += 1;
      const [attempt] = await attemptsOf(this.#db, row.ref);
      await this.#broadcast(row, attempt!);
      return (await this.outcomeOf(row.ref))!;
    });
  }

  /** The outcome of a reference; undefined if it was never used. */
  async outcomeOf(ref: string): Promise<OperatorOutcome | undefined> {
    const row = await findTransaction(this.#db, ref);
    return row === undefined ? undefined : outcomeOf(row);
  }

  /**
   * Checks all open transactions: records what was mined, sends lost ones again, raises the fee of stuck ones. Call it at the start
   * and periodically.
   */
  sync(): Promise<void> {
    // Callers that arrive while a check is queued share it.
    this.#nextSync ??= this.#inTurn(() => {
      this.#nextSync = undefined;
      return this.#sync();
    });
    return this.#nextSync;
  }

  async #sync(): Promise<void> {
    await this.#assertSameChain();
    const { public: client, chainId } = this.#client;
    const head = Number(await client.getBlockNumber());
    const count = await client.getTransactionCount({ address: this.address, blockTag: "latest" });
    for (const row of await minedFrom(this.#db, { chainId, sender: this.#sender, nonce: count })) {
      await this.#change(row, { observation: "gone" });
    }
    const open = await openTransactions(this.#db, chainId);
    let isFirst = true;
    for (const row of open) {
      const isOwn = row.sender === this.#sender;
      await this.#lookAfter(row, { head, mayRaise: isOwn && isFirst });
      if (isOwn) isFirst = false;
    }
    this.#counts.open = (await openTransactions(this.#db, chainId)).length;
  }

  async #lookAfter(row: TransactionRow, { head, mayRaise }: { head: number; mayRaise: boolean }): Promise<void> {
    const attempts = await attemptsOf(this.#db, row.ref);
    const sight = await look(this.#client, row, attempts, head);
    await this.#change(row, sight);
    const newest = attempts[0]!;
    if (sight.observation === "unseen") await this.#broadcast(row, newest);
    const isWaiting = sight.observation === "unseen" || sight.observation === "pending";
    const isStuck = isWaiting && head - Number(newest.signed_block) >= this.#stuckAfter_blocks;
    // Later transactions wait for the first one; raising them too would only cost more.
    if (isStuck && mayRaise && attempts.length < MAX_ATTEMPTS && !(await isNonceUsed(this.#client, row, "latest"))) {
      await this.#raise(row, newest, head);
    }
  }

  async #change(row: TransactionRow, { observation, mined }: Sight): Promise<void> {
    const status = transactionStates.next(row.status, observation);
    if (status === row.status) return;
    await changeTransaction(this.#db, row, {
      status,
      now: this.#now(),
      ...(mined === undefined ? {} : { mined, last_error: null }),
    });
    if (status === "confirmed" || status === "reverted" || status === "superseded") this.#counts[status] += 1;
  }

  /** All requests to the chain that come before anything is stored. If one fails, the call was certainly not sent. */
  async #prepare(call: OperatorCall) {
    const { public: client, chainId } = this.#client;
    const { ref, to, data = "0x", value_wei = 0n } = call;
    try {
      const [estimated, fees, head, chainNonce] = await Promise.all([
        client.estimateGas({ account: this.#account, to, data, value: value_wei }),
        this.#askedFees(),
        client.getBlockNumber(),
        client.getTransactionCount({ address: this.address, blockTag: "pending" }),
      ]);
      const call = { to: to.toLowerCase(), data: data.toLowerCase(), value_wei, gasLimit: gasLimitFor(estimated) };
      return { draft: { ref, chainId, sender: this.#sender, ...call, chainNonce }, fees, head: Number(head) };
    } catch (cause) {
      return { notSent: { state: "not_sent", reason: plainReason(cause), cause } as const };
    }
  }

  async #askedFees(): Promise<Fees> {
    const { maxFeePerGas, maxPriorityFeePerGas } = await this.#client.public.estimateFeesPerGas();
    return { maxFee_wei: maxFeePerGas, maxPriorityFee_wei: maxPriorityFeePerGas };
  }

  async #sign(
    call: { nonce: number; to: string; data: string; value_wei: bigint; gasLimit: bigint },
    { maxFee_wei, maxPriorityFee_wei }: Fees,
    head: number,
  ): Promise<NewAttempt> {
    const raw = await this.#account.signTransaction({
      type: "eip1559",
      chainId: this.#client.chainId,
      nonce: call.nonce,
      to: call.to as Address,
      data: call.data as Hex,
      value: call.value_wei,
      gas: call.gasLimit,
      maxFeePerGas: maxFee_wei,
      maxPriorityFeePerGas: maxPriorityFee_wei,
    });
    return {
      hash: keccak256(raw),
      raw,
      max_fee_wei: maxFee_wei.toString(),
      max_priority_fee_wei: maxPriorityFee_wei.toString(),
      signed_block: BigInt(head),
    };
  }

  /** Sends the stored bytes to the node. They may be mined later whatever the node answers, so no answer is final here. */
  async #broadcast(row: TransactionRow, { raw }: AttemptRow): Promise<void> {
    let last_error: string | null = null;
    try {
      await this.#client.public.sendRawTransaction({ serializedTransaction: raw as Hex });
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      if (!HAS_IT.test(words)) last_error = plainReason(error);
    }
    if (last_error !== null) this.#counts.refusedByNode += 1;
    const status = last_error === null ? transactionStates.next(row.status, "pending") : row.status;
    await changeTransaction(this.#db, row, { status, now: this.#now(), last_error });
  }

  /** The same call and nonce again, with higher fees. */
  async #raise(row: TransactionRow, newest: AttemptRow, head: number): Promise<void> {
    const offered = { maxFee_wei: BigInt(newest.max_fee_wei), maxPriorityFee_wei: BigInt(newest.max_priority_fee_wei) };
    const call = { nonce: Number(row.nonce), to: row.to_address, data: row.data, gasLimit: row.gas_limit };
    const fees = raisedFees(offered, await this.#askedFees());
    const attempt = await this.#sign({ ...call, value_wei: BigInt(row.value_wei) }, fees, head);
    const number = newest.number + 1;
    await recordAttempt(this.#db, { ref: row.ref, number, attempt, now: this.#now() });
    this.#counts.raised += 1;
    const current = await findTransaction(this.#db, row.ref);
    await this.#broadcast(current ?? row, { ...attempt, ref: row.ref, number });
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }

  /** Serialised: two concurrent calls would use the same nonce. */
  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(action, action);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
