import type { AuditReport } from "./audit.ts";
import type { BotPlan, MixName } from "./bot.ts";
import type { LoadMarket } from "./markets.ts";
import type { TallyRecord } from "./tally.ts";

/** Messages to a process of the fleet. */
export type FleetOrder =
  | {
      readonly type: "open";
      readonly baseUrl: string;
      readonly bots: readonly BotPlan[];
      readonly markets: readonly LoadMarket[];
      readonly connections: number;
    }
  | { readonly type: "begin"; readonly rate: number; readonly mix: MixName; readonly seed: number }
  | { readonly type: "end" }
  | { readonly type: "flood"; readonly connections: number }
  | { readonly type: "endFlood" }
  | { readonly type: "audit" };

/** The result of a flood of batches, by element. */
export interface FloodReport {
  readonly requests: number;
  readonly accepted: number;
  readonly refusals: Readonly<Record<string, number>>;
  readonly latencies: readonly number[];
}

/** Messages from a process of the fleet: an answer to each order, and a window every second while it runs. */
export type FleetReport =
  | { readonly type: "opened" }
  | { readonly type: "began" }
  | { readonly type: "window"; readonly tally: TallyRecord }
  | { readonly type: "ended"; readonly tally: TallyRecord }
  | { readonly type: "flooding" }
  | { readonly type: "floodEnded"; readonly flood: FloodReport }
  | { readonly type: "audited"; readonly audit: AuditReport }
  | { readonly type: "failed"; readonly message: string };
