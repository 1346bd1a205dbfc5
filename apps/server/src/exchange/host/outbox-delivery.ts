import { type OutsideStamp, RULES_WITH_REFERENCES } from "@bourse/engine";
import { COMMAND_TOPIC } from "../../kernel/engine-requests/engine-requests.ts";
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
    await exchange.submit(commandOf(message, exchange), true);
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
  const command = { ...(payload as object), number: Number(seq) } as unknown as Unstamped & OutsideStamp;
  if (engine.state.rulesVersion >= RULES_WITH_REFERENCES) return { ...command, reference: ref };
  const { details: _details, commitment: _commitment, disclosure: _disclosure, ...plain } = command;
  return plain as Unstamped;
}
