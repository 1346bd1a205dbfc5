import type { FapiAdlRisk } from "@bourse/api";
import type { FundMarketFigures } from "@bourse/engine";

export type AdlRisk = FapiAdlRisk["adlRisk"];

/** FUT-22, FUT-23: how much of what the fund may lose in the hour is gone. Beyond it positions are deleveraged. */
export function adlRiskOf({
  outflow_micros,
  cap_micros,
  isCapped,
}: Pick<FundMarketFigures, "outflow_micros" | "cap_micros" | "isCapped">): AdlRisk {
  if (isCapped || 3 * outflow_micros >= 2 * cap_micros) return "high";
  return 3 * outflow_micros >= cap_micros ? "medium" : "low";
}
