// Loaded before every test of the web app (`--import`, see scripts/testing/suites.ts): lets Node read components. A test
// that renders them is called *.test.tsx and imports `dom.ts` first, which makes a document for its process.
import * as nodeModule from "node:module";
import { load } from "./hooks.ts";

// The libraries' production versions lack what tests ask of them.
process.env["NODE_ENV"] = "test";
process.setSourceMapsEnabled(true);

// Node before 22.15 knows only hooks that run in a thread of their own.
if (typeof nodeModule.registerHooks === "function") nodeModule.registerHooks({ load });
else nodeModule.register("./hooks.ts", import.meta.url);
