import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { settingsAsMarkdown } from "../apps/server/src/settings/describe.ts";
import { createTestPlatform } from "../apps/server/src/testing/test-platform.ts";
import { accessAsMarkdown } from "./docs/access-page.ts";
import { clientText } from "./docs/client-text.ts";
import { rulesAsMarkdown } from "./docs/rules-page.ts";

const root = dirname(import.meta.dirname);

/** Starts a platform to read the routes that it registers. */
async function routesOfPlatform() {
  const platform = await createTestPlatform();
  await platform.close();
  return platform.app.routes;
}

const routes = await routesOfPlatform();

/** The generated files. */
const pages = {
  "docs/settings.md": settingsAsMarkdown(),
  "docs/rules/index.md": rulesAsMarkdown(root),
  "docs/access.md": accessAsMarkdown(routes),
  "packages/api/src/client/generated.ts": clientText(routes),
};

for (const [path, text] of Object.entries(pages)) {
  writeFileSync(join(root, path), text);
  console.log(`${path} written`);
}
