import { fileURLToPath } from "node:url";
import staticFiles from "@fastify/static";
import type { App } from "./kernel/http/app.ts";

const PUBLIC_FOLDER = fileURLToPath(new URL("../../web/public", import.meta.url));

/** RUN-2: the web app's pages live under `/app`, and `/` leads there. */
export async function registerWebApp(app: App): Promise<void> {
  app.get("/", { schema: { hide: true } }, (_request, reply) => reply.redirect("/app/"));
  app.get("/app", { schema: { hide: true } }, (_request, reply) => reply.redirect("/app/"));
  await app.register(staticFiles, { root: PUBLIC_FOLDER, prefix: "/app/", index: ["index.html"] });
}
