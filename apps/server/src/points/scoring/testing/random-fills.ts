import { randomNumbers } from "../../../broker/settlement/testing/random-books.ts";
import type { Applied } from "../../../exchange/host/exchange.ts";
import { DAY_ms } from "../../../kernel/dates.ts";
import { type OracleRule, ScoringOracle } from "./oracle.ts";
import {
  commandWith,
  EPOCHS,
  type FillEvent,
  fillEvent,
  GENESIS_ms,
  type ScoringBooks,
  SYMBOLS,
  walletOfAccount,
} from "./scoring-books.ts";

/** A trader and its expected inviter. */
interface Trader {
  readonly account: number;
  readonly termsVersion: number;
  readonly inviter: string | undefined;
}

const CAUSES = ["trade", "trade", "trade", "trade", "bonus_expiry", "liquidation", "takeover", "adl"] as const;
const V1: OracleRule = {
  version: 1,
  pointsPerFee: "10",
  makerFactor: "1.5",
  referralShare: "0.1",
  boosts: new Map(),
};

/** Random fills under changing rules, passed both to the program and to the oracle. */
export class RandomFills {
  readonly oracle: ScoringOracle;
  readonly #books: ScoringBooks;
  readonly #numbers: ReturnType<typeof randomNumbers>;
  readonly #traders: readonly Trader[];
  #rule = V1;
  #time_ms = GENESIS_ms - DAY_ms;
  #lastTrade = 0;
  #lastCommand = 0;

  private constructor(
    books: ScoringBooks,
    numbers: ReturnType<typeof randomNumbers>,
    traders: readonly Trader[],
    oracle: ScoringOracle,
  ) {
    this.#books = books;
    this.#numbers = numbers;
    this.#traders = traders;
    this.oracle = oracle;
  }

  /** With a KOL, a sub-KOL, customers of both, an affiliate, and market makers; two seasons in a row. */
  static async open(books: ScoringBooks, seed: string): Promise<RandomFills> {
    const numbers = randomNumbers(seed);
    const kol = await books.broker.kol({ rate: 0.4 });
    const sub = await books.broker.kol({ rate: 0.3, parent: kol });
    const ofKol = await books.broker.customer(kol, { ratio: 0.1 });
    const ofSub = await books.broker.customer(sub, { ratio: 0.1 });
    const affiliate = walletOfAccount(8);
    const affiliated = Number(await books.broker.affiliateTerms(7, affiliate, 0.1));
    const [kolTerms, subTerms] = [Number(kol.termsVersion), Number(sub.termsVersion)];
    const traders: Trader[] = [
      ...[1, 2, 3].map((account) => ({ account, termsVersion: 0, inviter: undefined })),
      { account: kol.account, termsVersion: kolTerms, inviter: undefined },
      { account: sub.account, termsVersion: subTerms, inviter: kol.wallet },
      { account: ofKol.account, termsVersion: kolTerms, inviter: kol.wallet },
      { account: ofSub.account, termsVersion: subTerms, inviter: sub.wallet },
      { account: 7, termsVersion: affiliated, inviter: affiliate },
    ];
    const makers = [walletOfAccount(3), numbers.pick([kol.wallet, sub.wallet, affiliate])];
    await books.makers(...makers);
    const seasons = [
      { season_no: await books.season(1, 1), start_ms: EPOCHS.start_ms(1), end_ms: EPOCHS.end_ms(1) },
      { season_no: await books.season(2, 3), start_ms: EPOCHS.start_ms(2), end_ms: EPOCHS.end_ms(3) },
    ];
    const oracle = new ScoringOracle(GENESIS_ms, new Set(makers), seasons);
    return new RandomFills(books, numbers, traders, oracle);
  }

  async run(batches: number): Promise<void> {
    const { below, oneIn } = this.#numbers;
    for (let batch = 0; batch < batches; batch += 1) {
      if (oneIn(4)) await this.#changeRule();
      await this.#books.project(Array.from({ length: 1 + below(4) }, () => this.#command()));
    }
  }

  async #changeRule(): Promise<void> {
    const { below } = this.#numbers;
    const [market, boost_e2, maker_e2, referral_e2] = [below(3), 100 + below(101), below(301), below(101)];
    const boosts = { [SYMBOLS[market]!]: boost_e2 };
    this.#rule = {
      ...V1,
      version: await this.#books.rule({ boosts, maker_e2, referral_e2 }),
      makerFactor: String(maker_e2 / 100),
      referralShare: String(referral_e2 / 100),
      boosts: new Map([[market, String(boost_e2 / 100)]]),
    };
  }

  #command(): Applied {
    const { below } = this.#numbers;
    this.#time_ms += below(DAY_ms);
    this.#lastCommand += 1;
    const fills = Array.from({ length: below(6) }, () => this.#fill());
    return commandWith(this.#lastCommand, this.#time_ms, fills);
  }

  #fill(): FillEvent {
    const { below, oneIn, pick } = this.#numbers;
    const { account, termsVersion, inviter } = pick(this.#traders);
    const fee_micros = oneIn(5) ? below(10) : below(5_000_000_000);
    this.#lastTrade += 1;
    const fill = fillEvent({
      account,
      termsVersion,
      trade: this.#lastTrade,
      market: below(SYMBOLS.length),
      side: below(2),
      isMaker: below(2),
      cause: pick(CAUSES),
      ticks: 1 + below(1_000_000),
      lots: 1 + below(1_000),
      fee_micros,
      feeFromBonus_micros: oneIn(4) ? below(fee_micros + 1) : 0,
      isSelfTrade: oneIn(8) ? 1 : 0,
      isOffMarket: oneIn(8) ? 1 : 0,
    });
    const wallet = walletOfAccount(account);
    this.oracle.score({ fill, time_ms: this.#time_ms, wallet, inviter, rule: this.#rule });
    return fill;
  }
}
