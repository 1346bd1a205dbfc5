import type { AccountBonusFact } from "../../exchange/index.ts";
import type { JsonValue } from "../../kernel/database/tables.ts";
import type { Cluster } from "../../kernel/nats/cluster.ts";
import type { Parts } from "./interfaces.ts";

/** The bus topic for values that gateways cannot derive from the log. */
export const FUNDING_TOPIC = "funding-estimates";
export const BONUS_TOPIC = "bonus-facts";
/** A request to the worker: open an account for a wallet. */
export const OPEN_ACCOUNT = "open-account";

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

/** Serves the gateways' requests that are not forwarded HTTP requests. */
export function serveGateways(
  { link, bus }: Cluster,
  { money, readers, host }: Pick<Parts, "money" | "readers" | "host">,
  report: (message: string) => (error: unknown) => void,
): GatewayService {
  const { connection, names } = link;
  const onError = report("an account could not be opened for a gateway");
  const subscription = connection.subscribe(names.worker(OPEN_ACCOUNT), {
    callback: (error, message) => {
      if (error !== null) return;
      money.directory.ensure(message.string()).then((account) => message.respond(String(account)), onError);
    },
  });
  const timer = setInterval(() => {
    const rates: JsonValue = host.exchange.engine.state.markets.map(({ number }) =>
      readers.prices.estimatedRate_e8(number),
    );
    bus.mention(FUNDING_TOPIC, rates);
  }, FUNDING_EVERY_ms);
  return {
    stop() {
      clearInterval(timer);
      subscription.unsubscribe();
    },
  };
}
