import { Personas } from "@bourse/api";
import { development } from "../kernel/http/access.ts";
import type { App } from "../kernel/http/app.ts";
import type { Settings } from "../settings/settings.ts";
import { demoAddress, demoKey } from "./demo/wallet.ts";
import { BDS } from "./history/cast.ts";
import { demoBdPassword } from "./history/create.ts";
import { GROWTH_PERSONAS } from "./history/growth-cast.ts";
import { allPersonas } from "./history/people.ts";

/** Development only: the personas that a visitor can sign in as. Without a demo there is only the admin. */
export function registerPersonasRoute(app: App, settings: Settings): void {
  const { adminUsername, adminPassword, secretsKey } = settings;
  const bds = settings.demo ? BDS : [];
  const growth = GROWTH_PERSONAS.map((persona) => ({ ...persona, role: "bonus" as const }));
  const personas = settings.demo ? [...allPersonas(), ...growth] : [];
  app.get(
    "/api/v1/dev/personas",
    {
      config: { access: development, client: "dev.personas" },
      schema: {
        tags: ["Development"],
        summary: "The demo's personas with their keys",
        description: "Sign in as a partner, a customer or a BD. Without DEMO there is only the admin.",
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
