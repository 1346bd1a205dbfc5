import { Campaign } from "./actors/campaign.ts";
import { Partners } from "./actors/partners.ts";
import type { Program } from "./actors/program.ts";
import { Savers } from "./actors/savers.ts";
import type { Section } from "./auditor/auditor.ts";
import { BonusSection } from "./auditor/bonus.ts";
import { ChainSection } from "./auditor/earn.ts";
import { PointsSection } from "./auditor/points.ts";
import { RebateSection } from "./auditor/rebates.ts";
import type { Cast } from "./cast.ts";
import type { Client } from "./ground/client.ts";
import type { Admin } from "./ground/person.ts";
import type { World } from "./ground/world.ts";
import type { Notes } from "./notes.ts";

/** The initial tokens of every wallet on the chain. */
export const TOKENS = 10n ** 13n;

/** What the programs of a simulation use. */
export interface ProgramGround {
  readonly seed: string;
  readonly world: World;
  readonly client: Client;
  readonly admin: Admin;
  readonly cast: Cast;
  readonly notes: Notes;
}

/** The platform's programs: their actors and their auditor sections. */
export function createPrograms(ground: ProgramGround): {
  readonly programs: readonly Program[];
  readonly sections: readonly Section[];
} {
  const { world } = ground;
  return {
    programs: [new Partners(ground), new Savers(ground), new Campaign(ground)],
    sections: [new RebateSection(world), new ChainSection(world, TOKENS), new BonusSection(), new PointsSection()],
  };
}
