import type { AccountOrderRequest, OrderPreview } from "@bourse/api/client";
import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useRead } from "../../lib/use-read.ts";
import { api, useSession } from "../../session/session.ts";

/** Long enough not to ask while one types, short enough to feel live. */
const DEBOUNCE_MS = 250;
/** The book moves on: what is shown for longer is asked for again. */
const REFRESH_MS = 5_000;

function useDebounced(value: string, pause_ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause_ms);
    return () => clearTimeout(timer);
  }, [value, pause_ms]);
  return settled;
}

export interface Preview {
  readonly data: OrderPreview | undefined;
  /** What the exchange would refuse the order for. */
  readonly error: unknown;
  /** What is shown belongs to an earlier draft. */
  readonly isStale: boolean;
}

/** FUT-18: what the exchange says the order would do. Undefined: there is nothing to ask yet. */
export function usePreview(request: AccountOrderRequest | undefined): Preview {
  const address = useSession("wallet")?.name;
  const wanted = request === undefined ? "" : JSON.stringify(request);
  const asked = useDebounced(wanted, DEBOUNCE_MS);
  const { data, error, isPlaceholderData } = useRead(
    ["trade", "preview", address, asked],
    (call) => api.orders.preview(JSON.parse(asked) as AccountOrderRequest, call),
    {
      enabled: asked !== "" && address !== undefined,
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MS,
      staleTime: 1_000,
      gcTime: 10_000,
      retry: false,
    },
  );
  if (wanted === "") return { data: undefined, error: null, isStale: false };
  return { data, error: asked === wanted ? error : null, isStale: asked !== wanted || isPlaceholderData };
}
