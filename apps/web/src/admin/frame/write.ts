import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toast } from "../../kit/toast.tsx";

/** What the keys of all the console's queries begin with. */
export const ADMIN = "admin";

export type Write = <Reply>(work: () => Promise<Reply>, say: (reply: Reply) => ReactNode) => Promise<Reply>;

/**
 * Carries something out, says what came of it, and reads the console's state again before it is done: also after a
 * refusal or silence, because the state may be another than the one that was shown.
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
