// Loaded before every test of the web app (`--import`, see scripts/testing/suites.ts): lets Node read components. A file
// called *.test.tsx finds a document to render into; *.test.ts is for what needs none, and starts a second sooner.
import * as nodeModule from "node:module";
import { load } from "./hooks.ts";

// The libraries' production versions lack what tests ask of them.
process.env["NODE_ENV"] = "test";
process.setSourceMapsEnabled(true);

// Node before 22.15 knows only hooks that run in a thread of their own.
if (typeof nodeModule.registerHooks === "function") nodeModule.registerHooks({ load });
else nodeModule.register("./hooks.ts", import.meta.url);

// The runner loads this as well as the files it runs, but tests nothing itself.
const isRunner = process.execArgv.includes("--test");
if (!isRunner && process.argv[1]?.endsWith(".test.tsx")) await import("./dom.ts");
