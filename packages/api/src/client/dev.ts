import type { FaucetReply, FaucetRequest } from "../account-wallet.ts";
import type { ClockReply, JobRun } from "../operations.ts";
import type { Personas } from "../personas.ts";
import type { PinnedPrice } from "../prices.ts";
import { type Call, type Given, type ReadOptions, segment } from "./call.ts";

const BASE = "/api/v1/dev";

/** Only on a development server; 404 elsewhere. */
export const devClient = ({ get, send }: Call) => ({
  personas: (options?: ReadOptions) => get<Personas>(`${BASE}/personas`, {}, options),
  faucet: (request: Given<FaucetRequest>) => send<FaucetReply>("POST", `${BASE}/faucet`, request),
  advanceClock: (advance_ms: number) => send<ClockReply>("POST", `${BASE}/clock`, { advance_ms }),
  /** Forward only: milliseconds or ISO 8601. */
  moveClockTo: (now: number | string) => send<ClockReply>("POST", `${BASE}/clock`, { now }),
  /** Null lets the price go. */
  pinPrice: (symbol: string, price: string | null) => send<PinnedPrice>("POST", `${BASE}/price`, { symbol, price }),
  runJob: (name: string) => send<JobRun>("POST", `${BASE}/jobs/${segment(name)}/run`),
});
