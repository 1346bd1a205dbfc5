import { projectBonus, projectLinked } from "../bonus/index.ts";
import { createInviters, projectAccruals, projectPayouts } from "../broker/index.ts";
import { Epochs, scoreFills } from "../points/index.ts";
import { referrersOf } from "../referral/index.ts";
import type { Settings } from "../settings/settings.ts";

/** The programs' own rows of what the exchange did, written by the running exchange and by a rebuild alike, and what they are made with. */
export function createProjections({ pointsGenesis_ms }: Pick<Settings, "pointsGenesis_ms">) {
  const epochs = new Epochs(pointsGenesis_ms);
  const inviters = createInviters({ referrersOf });
  const projections = [projectAccruals, projectPayouts, projectBonus, projectLinked, scoreFills({ epochs, inviters })];
  return { epochs, inviters, projections };
}
