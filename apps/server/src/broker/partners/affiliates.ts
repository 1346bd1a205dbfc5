import { sql } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import type { Tx } from "../../kernel/database/database.ts";
import { brokerTx } from "../tables.ts";
import type { Terms } from "./terms.ts";

/** A trader with an account, and what the owner of its on-chain code earns on its fees. */
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
/** The engine's version for fills on which nobody earns anything. */
const NOBODYS = 0n;

/** Whom a trader's fees reward; rate 0 where nobody is. */
interface Reward {
  readonly affiliate: string | null;
  readonly rate_e6: number;
}

interface Known extends Reward {
  readonly account: number;
}

/** A trader whose code is its own earns nothing by it. */
const rewardOf = ({ trader, affiliate, reward_bps }: AffiliateState): Reward =>
  affiliate === null || affiliate === trader
    ? { affiliate: null, rate_e6: 0 }
    : { affiliate, rate_e6: reward_bps * E6_PER_BPS };

const isSame = (a: Reward, b: Reward) => a.rate_e6 === b.rate_e6 && (a.rate_e6 === 0 || a.affiliate === b.affiliate);

/**
 * REF-4: the terms of traders whose on-chain code belongs to an affiliate. They hold only for wallets that no broker
 * invited and that are no brokers themselves; whoever gets bound later follows its broker instead.
 */
export class Affiliates {
  readonly #options: AffiliatesOptions;

  constructor(options: AffiliatesOptions) {
    this.#options = options;
  }

  /**
   * Brings the traders' terms to what the chain says, in the transaction that stores it. The caller holds the directory's
   * lock, as do those who bind wallets and make brokers, so none of these traders becomes one meanwhile.
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
    // That it is over is a row too, of rate 0, so that the same code taken up again is seen as a change.
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
      .returning("terms_version")
      .executeTakeFirstOrThrow();
    await this.#options.terms.tell(tx, account, row.terms_version, isOver ? NOBODYS : row.terms_version);
  }

  /** The newest affiliate terms of those who are neither bound nor brokers; rate 0 where there are none. */
  async #unbound(tx: Tx, states: readonly AffiliateState[]): Promise<ReadonlyMap<number, Known>> {
    const accounts = states.map(({ account }) => account);
    const { rows } = await sql<Known>`
      select asked.account, newest.affiliate, coalesce(newest.rate_e6, 0) as rate_e6
      from unnest(${accounts}::int[]) as asked (account)
      left join lateral (
        select affiliate, rate_e6 from broker_terms
        where account = asked.account and kind = 'affiliate'
        order by terms_version desc limit 1
      ) as newest on true
      where not exists (select from broker_bind where broker_bind.account = asked.account)
        and not exists (select from broker where broker.account = asked.account)`.execute(tx);
    return new Map(rows.map((row) => [row.account, row]));
  }
}
