import { Personas } from "@bourse/api";
import { demoAddress, demoKey } from "../exchange/demo/wallet.ts";
import type { Access } from "../kernel/http/access.ts";
import type { App } from "../kernel/http/app.ts";
import type { Settings } from "../settings/settings.ts";
import { BDS } from "./history/cast.ts";
import { demoBdPassword } from "./history/create.ts";
import { GROWTH_PERSONAS } from "./history/growth-cast.ts";
import { allPersonas } from "./history/people.ts";

export const personasPolicy: Readonly<Record<string, Access>> = {
  "GET /api/v1/dev/personas": { area: "dev", allow: "anyone" },
};

/** Development only: whom one can be to look at the platform from every side. Without a demo that is the admin alone. */
export function registerPersonasRoute(app: App, settings: Settings): void {
  const { adminUsername, adminPassword, secretsKey } = settings;
  const bds = settings.demo ? BDS : [];
  const growth = GROWTH_PERSONAS.map((persona) => ({ ...persona, role: "bonus" as const }));
  const personas = settings.demo ? [...allPersonas(), ...growth] : [];
  app.get(
    "/api/v1/dev/personas",
    {
      schema: {
        tags: ["Development"],
        summary: "The people of the demo, with their keys",
        description: "To sign in as a partner, a customer or a BD. Without DEMO there is the admin alone.",
        response: { 200: Personas },
      },
    },
    async () => ({
      staff: [
        { role: "admin", username: adminUsername, password: adminPassword },
        ...bds.map(({ username }) => ({ role: "bd", username, password: demoBdPassword(secretsKey) })),
      ],
      wallets: personas.map(({ name, role, label }) => ({
        name,
        role,
        address: demoAddress(secretsKey, label),
        private_key: demoKey(secretsKey, label),
      })),
    }),
  );
}
