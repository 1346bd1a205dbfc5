import { ErrorBody, FapiErrorBody } from "@bourse/api";
import swagger from "@fastify/swagger";
import reference from "@scalar/fastify-api-reference";
import { type Access, describeAccess, open } from "./access.ts";
import type { App } from "./app.ts";

const INTRODUCTION = `
Everything the exchange can do, over HTTP.

- **Wallets** sign in with EIP-4361: ask for a nonce, sign the message, exchange it for a bearer token.
- **Bots** make an API key with such a token and sign their requests: header \`X-MBX-APIKEY\`, parameters
  \`timestamp\` and \`signature\` (HMAC SHA-256 of query and body as sent).
- Refusals carry \`{error, code}\`, on \`/fapi\` \`{code, msg}\`. Every reply has an \`x-request-id\`.
`;

const SECURITY_SCHEMES = {
  bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "Access token from a sign-in" },
  apiKey: { type: "apiKey", in: "header", name: "X-MBX-APIKEY", description: "API key of a signed request" },
  bonusKey: { type: "apiKey", in: "header", name: "X-Bonus-Admin-Key", description: "Key of the bonus administration" },
} as const;

type Requirement = Record<string, string[]>;

function securityOf(access: Access): Requirement[] {
  if (access.allow === "anyone") return [];
  const requirements: Requirement[] = [{ bearer: [] }];
  if (access.apiKey) requirements.push({ apiKey: [] });
  if (access.bonusKey) requirements.push({ bonusKey: [] });
  return requirements;
}

/** Registers the OpenAPI description. Must come before the routes it describes. */
export async function registerOpenApi(app: App, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Bourse", version: "0.1.0", description: INTRODUCTION, license: { name: "Apache-2.0" } },
      servers: [{ url: publicUrl }],
      components: { securitySchemes: SECURITY_SCHEMES },
      tags: [
        { name: "Sign-in", description: "Wallets and staff" },
        { name: "API keys", description: "Keys for bots" },
        { name: "Futures", description: "The exchange-style interface for bots" },
        { name: "Broker", description: "Partners: codes, downlines, rebates, what they earn and why" },
        { name: "Broker: settlement and proofs", description: "How a record came about, and that it was not changed" },
        { name: "Broker: for BDs", description: "Own KOLs and codes" },
        { name: "Broker: administration", description: "BDs, KOLs, tiers" },
        { name: "Broker: payouts", description: "From what is owed to what is paid" },
        { name: "Referral", description: "Codes, tiers and rebates on the chain" },
        { name: "Earn", description: "Fixed-term products with on-chain subscription" },
        { name: "Operations", description: "Health, configuration, audit" },
        { name: "Development", description: "Only on a development server" },
      ],
    },
    transform: ({ schema, url, route }) => {
      const access = route.config?.access;
      if (!schema || !access) return { schema: { ...schema, hide: true }, url };
      const refusal = access.area === "fapi" ? FapiErrorBody : ErrorBody;
      const response = { ...(schema.response as Record<string, unknown> | undefined), "4xx": refusal };
      const { description = "" } = schema as { description?: string };
      const described = {
        description: `${description}${description && " "}Open to ${describeAccess(access)}.`,
        response,
        security: securityOf(access),
        ...(access.weight === undefined ? {} : { "x-weight": access.weight }),
      };
      return { schema: { ...schema, ...described }, url };
    },
  });
}

const PAGE = {
  url: "/openapi.json",
  pageTitle: "Bourse API",
  favicon: "/app/icon.svg",
  theme: "default",
  withDefaultFonts: false,
  hideClientButton: true,
  telemetry: false,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: "json",
  defaultOpenAllTags: false,
} as const;

/** `/openapi.json` and the browsable page over it. Must come after all routes. */
export async function registerDocsPage(app: App): Promise<void> {
  app.get("/openapi.json", { config: { access: open }, schema: { hide: true } }, () => app.swagger());
  await app.register(async (scope) => {
    scope.decorate("accessOfScope", open);
    await scope.register(reference, { routePrefix: "/docs", configuration: PAGE });
  });
}
