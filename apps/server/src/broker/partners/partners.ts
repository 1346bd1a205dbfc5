import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BrokerOptions } from "../options.ts";
import { registerPartnerAdminRoutes } from "./admin-routes.ts";
import { Affiliates } from "./affiliates.ts";
import { BdAdmin } from "./bd-admin.ts";
import { Binding } from "./binding.ts";
import { Dashboards } from "./dashboards.ts";
import { InviteCodes } from "./invite-codes.ts";
import { KolAdmin } from "./kol-admin.ts";
import { PartnerOpenings } from "./openings.ts";
import { Ownership } from "./ownership.ts";
import { registerPartnerRoutes } from "./partner-routes.ts";
import { Terms } from "./terms.ts";
import { Tiers } from "./tiers.ts";

/** The participants of the program and their terms. */
export interface Partners {
  readonly terms: Terms;
  /** REF-4: must be notified of every change of traders' on-chain codes. */
  readonly affiliates: Affiliates;
  readonly binding: Binding;
  readonly codes: InviteCodes;
  readonly kols: KolAdmin;
  readonly bds: BdAdmin;
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

export function createPartners(options: BrokerOptions): Partners {
  const { identity, clock } = options;
  const terms = new Terms(options);
  const affiliates = new Affiliates({ clock, terms });
  const openings = new PartnerOpenings({ ...options, terms });
  const binding = new Binding({ ...options, terms, openings });
  const codes = new InviteCodes(options);
  const kols = new KolAdmin({ ...options, terms, openings });
  const ownership = new Ownership({ ...options, terms });
  const bds = new BdAdmin({ ...options, bds: identity.bds });
  const tiers = new Tiers(options);
  const dashboards = new Dashboards(options);
  return {
    terms,
    affiliates,
    binding,
    codes,
    kols,
    bds,
    jobs: [
      {
        name: "broker-codes",
        schedule: "*/10 * * * *",
        missed: "latest",
        run: async () => ({ expired: await codes.sweep() }),
      },
    ],
    register: (app) => {
      registerPartnerAdminRoutes(app, { bdAdmin: bds, kols, ownership, tiers, dashboards });
      registerPartnerRoutes(app, { binding, codes, kols, dashboards });
    },
  };
}
