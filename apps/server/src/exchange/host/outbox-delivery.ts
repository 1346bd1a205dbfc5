import { COMMAND_TOPIC } from "../../kernel/engine-requests/engine-requests.ts";
import type { NumberedMessage } from "../../kernel/outbox/dispatcher.ts";
import type { Exchange, Unstamped } from "./exchange.ts";

/**
 * Submits a message of the outbox to the engine; resolves when it is durable there. After a crash it is delivered again
 * under the same number, which the engine ignores; an account that is opened again is refused, because numbers follow a
 * sequence.
 */
export function deliverTo(exchange: Exchange): (message: NumberedMessage) => Promise<void> {
  return async (message) => {
    const { topic } = message;
    if (topic !== COMMAND_TOPIC) throw new Error(`nobody receives messages of the topic ${topic}`);
    await exchange.submit(commandOf(message), true);
  };
}

/**
 * Whether the exchange cannot refuse the message: it can be encoded, and only a stopped exchange refuses such commands.
 * So several messages may be delivered at once and share a sync of the log.
 */
export const isSureOf =
  (exchange: Exchange) =>
  (message: NumberedMessage): boolean =>
    message.topic === COMMAND_TOPIC && exchange.isWritable(commandOf(message));

const commandOf = ({ seq, payload }: NumberedMessage) =>
  ({ ...(payload as object), number: Number(seq) }) as unknown as Unstamped;
