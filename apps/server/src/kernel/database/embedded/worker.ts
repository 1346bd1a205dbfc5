/** The thread in which the embedded database runs, so that a heavy statement does not block the rest of the server. */
import { existsSync } from "node:fs";
import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import type { WorkerOptions } from "./protocol.ts";
import { serve } from "./serving.ts";

if (parentPort === null) throw new Error("this file runs as a worker thread");

async function create({ folder, templateFile, program }: WorkerOptions): Promise<PGlite> {
  return await PGlite.create({
    dataDir: folder ?? "memory://",
    ...(templateFile === undefined ? {} : { loadDataDir: new Blob([await readFile(templateFile)]) }),
    ...(program === undefined ? {} : { pgliteWasmModule: program }),
  });
}

async function start(options: WorkerOptions): Promise<PGlite> {
  const { folder, program } = options;
  if (folder === undefined) return await create(options);
  if (!existsSync(join(folder, "PG_VERSION"))) {
    // Made under another name and renamed when complete: a kill in between leaves nothing incomplete.
    const unfinished = `${folder}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await (await create({ ...options, folder: unfinished })).close();
    await rename(unfinished, folder);
  }
  return await create({ folder, templateFile: undefined, program });
}

await serve(parentPort, async () => {
  const pglite = await start(workerData as WorkerOptions);
  return { pglite, close: () => pglite.close() };
});
