import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import staticFiles from "@fastify/static";
import type { FastifyReply, FastifyRequest } from "fastify";
import { open } from "../kernel/http/access.ts";
import type { App } from "../kernel/http/app.ts";

const BUILT_APP = fileURLToPath(new URL("../../../web/dist", import.meta.url));

/** The bundler names these files after their contents, so they never change. */
const HASHED_FILES = "assets/";
const FOREVER = "public, max-age=31536000, immutable";
const ASK_EVERY_TIME = "no-cache";

const NOT_BUILT_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>The web app is not built</title>
<h1>The web app is not built</h1>
<p>The exchange runs, but its pages are missing. Build them with <code>npm run build</code> (or start with
<code>npm start</code>, which does it), then load this page again.</p>
<p>The interface is described at <a href="/docs/">/docs/</a>.</p>
</html>
`;

const queryOf = (url: string): string => (url.includes("?") ? url.slice(url.indexOf("?")) : "");

/** A path with a file name, or below the built files, is a file; all others are pages of the app. */
const isFile = (path: string): boolean => path.startsWith(HASHED_FILES) || /\.[a-z0-9]+$/i.test(path);

/** RUN-2: the web app's pages are under `/app`, and `/` redirects there. The app's router distinguishes the pages. */
export async function registerWebApp(app: App, folder = BUILT_APP): Promise<void> {
  const toApp = (request: FastifyRequest, reply: FastifyReply) => reply.redirect(`/app/${queryOf(request.url)}`);
  app.get("/", { config: { access: open }, schema: { hide: true } }, toApp);
  app.get("/app", { config: { access: open }, schema: { hide: true } }, toApp);

  await app.register(staticFiles, {
    root: folder,
    serve: false,
    // The build writes .br and .gz beside its texts.
    preCompressed: true,
    dotfiles: "ignore",
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, HASHED_FILES));
      reply.header("cache-control", isHashed ? FOREVER : ASK_EVERY_TIME);
    },
  });
  app.route<{ Params: { "*": string } }>({
    method: ["GET", "HEAD"],
    url: "/app/*",
    config: { access: open },
    schema: { hide: true },
    handler: (request, reply) => {
      // Until a file is found: a refusal must not be cached.
      reply.header("cache-control", "no-store");
      const path = request.params["*"];
      if (isFile(path)) return reply.sendFile(path);
      if (existsSync(join(folder, "index.html"))) return reply.sendFile("index.html");
      return reply.code(503).type("text/html; charset=utf-8").send(NOT_BUILT_PAGE);
    },
  });
}
