import type { EngineEvent } from "@bourse/engine";

/** An event of the engine that belongs to one account. */
export type AccountEvent = Extract<EngineEvent, { readonly account: number }>;
