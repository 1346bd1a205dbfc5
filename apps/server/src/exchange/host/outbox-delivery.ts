import { COMMAND_TOPIC } from "../../kernel/engine-requests/engine-requests.ts";
import type { NumberedMessage } from "../../kernel/outbox/dispatcher.ts";
import type { Exchange, Unstamped } from "./exchange.ts";

/**
 * Hands a message to the engine and resolves once it is durable there. Repeated after a crash it comes under the same
 * number, which the engine ignores; accounts are opened in sequence, so a repeated one is refused without effect.
 */
export function deliverTo(exchange: Exchange): (message: NumberedMessage) => Promise<void> {
  return async (message) => {
    const { topic } = message;
    if (topic !== COMMAND_TOPIC) throw new Error(`nobody receives messages of the topic ${topic}`);
    await exchange.submit(commandOf(message), true);
  };
}

/**
 * What can be written down is taken as long as the exchange takes anything, and an exchange that has stopped does not go on:
 * so messages like that may be handed over together and share a sync of the log.
 */
export const isSureOf =
  (exchange: Exchange) =>
  (message: NumberedMessage): boolean =>
    message.topic === COMMAND_TOPIC && exchange.isWritable(commandOf(message));

const commandOf = ({ seq, payload }: NumberedMessage) =>
  ({ ...(payload as object), number: Number(seq) }) as unknown as Unstamped;
