import type { AccountBonusFact } from "../../exchange/index.ts";
import type { JsonValue } from "../../kernel/database/tables.ts";
import type { Cluster } from "../../kernel/nats/cluster.ts";
import type { Parts } from "./interfaces.ts";

/** The bus topic for values that gateways cannot derive from the log. */
export const FUNDING_TOPIC = "funding-estimates";
export const BONUS_TOPIC = "bonus-facts";

export interface BonusNews extends AccountBonusFact {
  /** Its number among the account's private events. */
  readonly seq: number;
}

/** A fact as JSON; undefined fields are omitted. */
export const bonusNews = (news: BonusNews): JsonValue => JSON.parse(JSON.stringify(news));

const FUNDING_EVERY_ms = 1_000;

export interface GatewayService {
  stop(): void;
}

/** Tells the gateways what they cannot derive from the log. */
export function serveGateways({ bus }: Cluster, { readers, host }: Pick<Parts, "readers" | "host">): GatewayService {
  const timer = setInterval(() => {
    const rates: JsonValue = host.exchange.engine.state.markets.map(({ number }) =>
      readers.prices.estimatedRate_e8(number),
    );
    bus.mention(FUNDING_TOPIC, rates);
  }, FUNDING_EVERY_ms);
  return { stop: () => clearInterval(timer) };
}
