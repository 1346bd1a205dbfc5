/** For tests: makes the embedded database open quickly for processes that open many. */
import { existsSync, readFileSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { systemRandom } from "../../../random.ts";

/** Small sizes where the default costs time: the log's files, and the cache that is cleared at each start. */
const SMALL_DATABASE = ["--wal-segsize=1", "--set", "min_wal_size=2MB", "--set", "shared_buffers=16MB"];

const packageFile = (path: string) => new URL(path, import.meta.resolve("@electric-sql/pglite"));

let compiled: Promise<WebAssembly.Module> | undefined;

/** The database's program. Code that one database of a process has optimised is reused by the next. */
export function embeddedProgram(): Promise<WebAssembly.Module> {
  compiled ??= readFile(packageFile("pglite.wasm")).then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

/** Test files that start together may each make one; the last complete one stays. */
export async function saveTemplate(file: string, pglite: PGlite): Promise<void> {
  await pglite.exec("checkpoint");
  const dump = await pglite.dumpDataDir("none");
  const unfinished = `${file}.${systemRandom.bytes(8).toString("hex")}`;
  await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()));
  await rename(unfinished, file);
}

/** A dump of a newly created database, made once per machine: it opens in a tenth of the time. */
export async function embeddedTemplate(): Promise<string> {
  const { version } = JSON.parse(readFileSync(packageFile("../package.json"), "utf8"));
  const file = join(tmpdir(), `bourse-test-template-${userInfo().username}-${version}-small.tar`);
  if (existsSync(file)) return file;
  const pglite = await PGlite.create({
    dataDir: "memory://",
    pgliteWasmModule: await embeddedProgram(),
    initDbStartParams: SMALL_DATABASE,
  });
  // Two thirds of a fresh database are the templates for other databases.
  for (const name of ["template0", "template1"]) {
    await pglite.exec(`alter database ${name} is_template false`);
    await pglite.exec(`drop database ${name}`);
  }
  await saveTemplate(file, pglite);
  await pglite.close();
  return file;
}
