import { useQueryClient } from "@tanstack/react-query";
import { toast } from "../../kit/toast.tsx";
import { once, sayReplayed } from "../../lib/once.ts";
import { type Call, useRead } from "../../lib/use-read.ts";

/** The first part of the keys of all queries of the console. */
const ADMIN = "admin";

/** Reads something for the console. */
export const useAdmin = <T>(
  key: readonly unknown[],
  read: (call: Call) => Promise<T>,
  options?: Parameters<typeof useRead<T>>[2],
) => useRead([ADMIN, ...key], read, options);

export const adminKey = (...parts: readonly unknown[]): readonly unknown[] => [ADMIN, ...parts];

export type Write = <Reply>(work: () => Promise<Reply>, say: (reply: Reply) => string) => Promise<Reply>;

/**
 * Sends a change, states its outcome in a message, and reads the console's data again before it is done: also after a
 * refusal or a lost reply, because the data may differ from what is shown.
 */
export function useWrite(): Write {
  const client = useQueryClient();
  return async (work, say) => {
    try {
      const reply = await work();
      toast("accent", say(reply));
      return reply;
    } finally {
      await client.invalidateQueries({ queryKey: [ADMIN] });
    }
  };
}

export type WriteOnce = <Request extends object, Reply extends object>(
  what: string,
  request: Request,
  send: (body: Request & { readonly request_id: string }) => Promise<Reply>,
  say: (reply: Reply) => string,
) => Promise<Reply>;

/** Sends a change that must happen at most once: a repeated press sends the same request id until a reply comes. */
export function useWriteOnce(): WriteOnce {
  const write = useWrite();
  return (what, request, send, say) =>
    write(
      () => once(what, request, (request_id) => send({ ...request, request_id })),
      (reply) => sayReplayed("replayed" in reply && reply.replayed === true, say(reply)),
    );
}
