import { writeFileSync } from "node:fs";
import { settingsAsMarkdown } from "../apps/server/src/settings/describe.ts";

/** Writes the pages of docs/ that come from the code. */
writeFileSync(new URL("../docs/settings.md", import.meta.url), settingsAsMarkdown());
console.log("docs/settings.md written");
