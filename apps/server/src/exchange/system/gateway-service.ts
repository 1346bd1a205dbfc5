import type { JsonValue } from "../../kernel/database/tables.ts";
import type { Cluster } from "../../kernel/nats/cluster.ts";
import type { AccountBonusFact } from "../streams/private-facts.ts";
import type { Parts } from "./interfaces.ts";

/** On the bus: what gateways cannot know from the log. */
export const FUNDING_TOPIC = "funding-estimates";
export const BONUS_TOPIC = "bonus-facts";
/** A question to the worker: an account for a wallet. */
export const OPEN_ACCOUNT = "open-account";

export interface BonusNews extends AccountBonusFact {
  /** Its number among the account's private events. */
  readonly seq: number;
}

/** A fact has nothing in it that JSON has no form for; what is not there stays away. */
export const bonusNews = (news: BonusNews): JsonValue => JSON.parse(JSON.stringify(news));

const FUNDING_EVERY_ms = 1_000;

export interface GatewayService {
  stop(): void;
}

/** What the worker does for gateways, besides what they forward to it. */
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
