import { useEffect, useState } from "react";
import { createStore } from "./store.ts";

/** How far the platform's clock is ahead of this browser's. A development clock can be days ahead. */
const lead_ms = createStore(0);

export const serverNow = (): number => Date.now() + lead_ms.get();

/** Half of the way there and back is taken for the reply's age. */
export async function alignClock(readTime: () => Promise<{ readonly serverTime: number }>): Promise<void> {
  const asked = Date.now();
  const { serverTime } = await readTime();
  const answered = Date.now();
  lead_ms.set(serverTime + (answered - asked) / 2 - answered);
}

/** The platform's time, renewed in steps. */
export function useServerNow(step_ms = 1000): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const renew = () => setNow(serverNow());
    const timer = setInterval(renew, step_ms);
    const stop = lead_ms.subscribe(renew);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [step_ms]);
  return now;
}
