import type { State } from "@bourse/engine";
import type { Log } from "../../kernel/log.ts";
import { StartRefusal } from "../../kernel/start-refusal.ts";
import { problemOfSources } from "../../settings/price-sources.ts";
import type { Settings } from "../../settings/settings.ts";

type SourceSettings = Pick<Settings, "environment" | "priceSources">;

/** FUT-13: why an exchange with these settings cannot run by the rules of version 5; undefined if it can. */
export const sourcesProblem = ({ environment, priceSources }: SourceSettings): string | undefined =>
  environment === "production" ? problemOfSources(priceSources) : undefined;

/**
 * FUT-13: production needs three configured sources by the rules of version 5. An exchange of earlier rules starts as it
 * always did, with a warning; it cannot be raised before it has them.
 */
export function checkSources(settings: SourceSettings, state: Pick<State, "isFair">, log: Pick<Log, "warn">): void {
  const problem = sourcesProblem(settings);
  if (problem === undefined) return;
  if (state.isFair) throw new StartRefusal(problem);
  log.warn(problem);
}
