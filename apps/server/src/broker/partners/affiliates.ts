import { sql } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import type { Tx } from "../../kernel/database/database.ts";
import { brokerTx } from "../tables.ts";
import { LOGGED_TERMS, type Terms } from "./terms.ts";

/** A trader with an account, and the reward rate of its on-chain code's owner. */
export interface AffiliateState {
  readonly trader: string;
  readonly account: number;
  /** Null without a code. */
  readonly affiliate: string | null;
  readonly reward_bps: number;
}

export interface AffiliatesOptions {
  readonly clock: Clock;
  readonly terms: Pick<Terms, "tell">;
}

const E6_PER_BPS = 100;
/** The terms version of fills on which nobody earns anything. */
const NOBODYS = 0n;

/** The affiliate that a trader's fees reward; rate 0 if there is none. */
interface Reward {
  readonly affiliate: string | null;
  readonly rate_e6: number;
}

interface Known extends Reward {
  readonly account: number;
}

/** A trader that uses its own code earns nothing by it. */
const rewardOf = ({ trader, affiliate, reward_bps }: AffiliateState): Reward =>
  affiliate === null || affiliate === trader
    ? { affiliate: null, rate_e6: 0 }
    : { affiliate, rate_e6: reward_bps * E6_PER_BPS };

const isSame = (a: Reward, b: Reward) => a.rate_e6 === b.rate_e6 && (a.rate_e6 === 0 || a.affiliate === b.affiliate);

/**
 * REF-4: the terms of traders whose on-chain code belongs to an affiliate. They apply only to wallets that are neither bound to a
 * broker nor brokers; a wallet that is bound later gets its broker's terms instead.
 */
export class Affiliates {
  readonly #options: AffiliatesOptions;

  constructor(options: AffiliatesOptions) {
    this.#options = options;
  }

  /**
   * Updates the traders' terms to the chain's state, in the transaction that stores that state. The caller holds the directory's
   * lock, as binds and new brokers do, so none of these traders becomes bound or a broker meanwhile.
   */
  async follow(tx: Tx, states: readonly AffiliateState[]): Promise<void> {
    const known = await this.#unbound(tx, states);
    for (const state of states) {
      const before = known.get(state.account);
      const wanted = rewardOf(state);
      if (before !== undefined && !isSame(before, wanted)) await this.#change(tx, state, before, wanted);
    }
  }

  async #change(tx: Tx, { trader, account }: AffiliateState, before: Reward, wanted: Reward): Promise<void> {
    const isOver = wanted.rate_e6 === 0;
    // The end of a reward is also a row, with rate 0, so that using the same code again counts as a change.
    const row = await brokerTx(tx)
      .insertInto("broker_terms")
      .values({
        account,
        wallet_address: trader,
        kind: "affiliate",
        broker_id: null,
        rate_e6: wanted.rate_e6,
        parent_broker_id: null,
        parent_rate_e6: null,
        bound_share_e6: 0,
        status: "active",
        affiliate: isOver ? before.affiliate : wanted.affiliate,
        cause: isOver ? "affiliate-ended" : "affiliate",
        created_at: new Date(this.#options.clock.now()),
      })
      .returning(["terms_version", LOGGED_TERMS.as("logged")])
      .executeTakeFirstOrThrow();
    const { terms_version, logged } = row;
    await this.#options.terms.tell(tx, account, terms_version, logged, isOver ? NOBODYS : terms_version);
  }

  /** The newest affiliate terms of traders that are neither bound nor brokers; rate 0 if there are none. */
  async #unbound(tx: Tx, states: readonly AffiliateState[]): Promise<ReadonlyMap<number, Known>> {
    const accounts = states.map(({ account }) => account);
    const traders = states.map(({ trader }) => trader);
    const { rows } = await sql<Known>`
      select asked.account, newest.affiliate, coalesce(newest.rate_e6, 0) as rate_e6
      from unnest(${accounts}::int[], ${traders}::text[]) as asked (account, trader)
      left join lateral (
        select affiliate, rate_e6 from broker_terms
        where account = asked.account and kind = 'affiliate'
        order by terms_version desc limit 1
      ) as newest on true
      where not exists (select from broker_bind where broker_bind.wallet_address = asked.trader)
        and not exists (select from broker where broker.wallet_address = asked.trader)`.execute(tx);
    return new Map(rows.map((row) => [row.account, row]));
  }
}
