/**
 * The thread of a database that many tests use one after the other: closing it restores the state it had when it was opened (see
 * `threads.ts`).
 */
import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import type { WorkerOptions } from "../protocol.ts";
import { serve } from "../serving.ts";
import { takeImage } from "./image.ts";

if (parentPort === null) throw new Error("this file runs as a worker thread");

/**
 * Loads the catalogue of every table into the session, so that each test starts with it. The function language is a library that is
 * loaded at its first use; the image must contain it, because a library is loaded once in a program's life.
 */
async function warmUp(pglite: PGlite): Promise<void> {
  await pglite.exec("do language plpgsql 'begin end'");
  const { rows } = await pglite.query<{ name: string }>(`
    select format('%I', relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);
  if (rows.length === 0) return;
  await pglite.query(`select ${rows.map(({ name }) => `exists (select from ${name})`).join(", ")}`);
}

await serve(parentPort, async () => {
  const { templateFile, program } = workerData as WorkerOptions;
  if (templateFile === undefined || program === undefined) throw new Error("a template and the program are needed");
  const template = new Blob([await readFile(templateFile)]);
  const pglite = await PGlite.create({ dataDir: "memory://", loadDataDir: template, pgliteWasmModule: program });
  await warmUp(pglite);
  const restore = takeImage(pglite);
  return { pglite, close: async () => restore() };
});
