import { NO_POSITION, type OutsideStamp, RULES_WITH_REFERENCES } from "@bourse/engine";
import { type AccountSetting, COMMAND_TOPIC } from "../../kernel/engine-requests/engine-requests.ts";
import type { NumberedMessage } from "../../kernel/outbox/dispatcher.ts";
import type { Exchange, Unstamped } from "./exchange.ts";

/**
 * Passes a message to the engine and resolves when it is durable there. After a crash it is delivered again with the same number,
 * which the engine ignores; by rules without references an account is opened in sequence, so a second opening is refused without effect.
 */
export function deliverTo(exchange: Exchange): (message: NumberedMessage) => Promise<void> {
  return async (message) => {
    const { topic } = message;
    if (topic !== COMMAND_TOPIC) throw new Error(`nobody receives messages of the topic ${topic}`);
    // Submitted in one turn, so that nobody's command comes in between, and logged in one frame (see LoggedExchange).
    const commands = [commandOf(message, exchange), ...settingsOf(message, exchange)];
    await Promise.all(commands.map((command) => exchange.submit(command, true)));
  };
}

/**
 * An encodable command is accepted as long as the exchange accepts any, and an exchange that has stopped stays stopped: so these
 * messages may be passed together and share a sync of the log. What follows a change of rules is encoded by the new ones (LOG-5).
 */
export const isSureOf =
  (exchange: Exchange) =>
  (message: NumberedMessage): boolean => {
    if (message.topic !== COMMAND_TOPIC) return false;
    const command = commandOf(message, exchange);
    return command.kind !== "set_rules_version" && exchange.isWritable(command);
  };

/** LOG-1: the message's reference is the command's. Rules that know no references get the command as it always was. */
function commandOf({ seq, ref, payload }: NumberedMessage, { engine }: Exchange): Unstamped {
  const { settings: _settings, ...own } = payload as Payload;
  const command = { ...own, number: Number(seq) } as unknown as Unstamped & OutsideStamp;
  if (engine.state.rulesVersion >= RULES_WITH_REFERENCES) return { ...command, reference: ref };
  const { details: _details, commitment: _commitment, disclosure: _disclosure, ...plain } = command;
  return plain as Unstamped;
}

interface Payload {
  readonly account?: number;
  readonly settings?: readonly AccountSetting[];
}

/**
 * SEC-11: what the wallet had chosen before its account was opened. These commands have no number by which the engine would know
 * them again, but they are in the log together with the opening, or none of them is. When the message is delivered once more, a
 * market in which the account has an entry has had its settings, or its owner has chosen otherwise since.
 */
function settingsOf({ payload }: NumberedMessage, { engine }: Exchange): Unstamped[] {
  const { account = 0, settings = [] } = payload as Payload;
  const { positions, accounts } = engine.state;
  const isNew = (market: number) => account > accounts.count || positions.find(account, market) === NO_POSITION;
  return settings
    .filter(({ market }) => isNew(market))
    .flatMap(({ market, mode, leverage }): Unstamped[] => [
      ...(mode === null ? [] : [{ kind: "set_margin_mode", account, market, mode } as const]),
      ...(leverage === null ? [] : [{ kind: "set_leverage", account, market, leverage } as const]),
    ]);
}
