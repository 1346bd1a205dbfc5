import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";
import { acquireFolderLock } from "./folder-lock.ts";

describe("folder lock", () => {
  let root: string;
  let program: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), "bourse-folder-lock-"));
    program = join(root, "holder.ts");
    writeFileSync(
      program,
      `import { acquireFolderLock } from ${JSON.stringify(new URL("./folder-lock.ts", import.meta.url).href)};
       acquireFolderLock(process.argv[2]);
       // A lock nobody refers to must be held all the same.
       setImmediate(() => {
         gc();
         console.log("held");
       });
       setInterval(() => undefined, 60_000);`,
    );
  });
  after(() => rmSync(root, { recursive: true }));

  async function startHolder(folder: string): Promise<ChildProcess> {
    const child = spawn(process.execPath, [...process.execArgv, "--expose-gc", program, folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(createInterface(child.stdout), "line");
    assert.equal(line, "held");
    return child;
  }

  async function kill(child: ChildProcess): Promise<void> {
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  }

  it("a second process is refused, told who holds the folder", async () => {
    const folder = join(root, "busy");
    const holder = await startHolder(folder);
    try {
      assert.throws(
        () => acquireFolderLock(folder),
        (error: Error) => {
          const since = "\\(since \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z\\)";
          const expected = `^${folder} is in use by process ${holder.pid} ${since}\\. Stop it or set DATA_DIR to another folder\\.$`;
          assert.match(error.message, new RegExp(expected));
          return true;
        },
      );
    } finally {
      await kill(holder);
    }
  });

  it("a holder that was killed leaves nothing in the way", async () => {
    const folder = join(root, "killed");
    for (let round = 0; round < 3; round++) await kill(await startHolder(folder));
    assert.ok(existsSync(join(folder, "lock.json")), "the killed holder could not tidy up");
    const lock = acquireFolderLock(folder);
    lock.release();
    assert.ok(!existsSync(join(folder, "lock.json")));
  });

  it("a holder that ends by itself takes its note away", async () => {
    const folder = join(root, "ended");
    const file = join(root, "ending.ts");
    const module = JSON.stringify(new URL("./folder-lock.ts", import.meta.url).href);
    writeFileSync(file, `import { acquireFolderLock } from ${module};\nacquireFolderLock(process.argv[2]);`);
    const child = spawn(process.execPath, [...process.execArgv, file, folder], { stdio: "inherit" });
    assert.deepEqual(await once(child, "exit"), [0, null]);
    assert.deepEqual(readdirSync(folder), ["lock.sqlite"]);
  });

  it("a second taker in the same process is refused as well, and does not loosen the first one's hold", async () => {
    const folder = join(root, "same-process");
    const lock = acquireFolderLock(folder);
    assert.throws(() => acquireFolderLock(folder), new RegExp(`is in use by process ${process.pid} `));
    // Closing any descriptor of a file drops a process's plain locks on it; the refused attempt above closed one.
    await assert.rejects(startOrFail(folder), /is in use by process/);
    lock.release();
    lock.release();
    acquireFolderLock(folder).release();
  });

  async function startOrFail(folder: string): Promise<void> {
    const child = spawn(process.execPath, [...process.execArgv, "--expose-gc", program, folder], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    const [exitCode] = await once(child, "close");
    if (exitCode !== 0) throw new Error(errors);
  }

  it("a damaged note of the holder does not hide the refusal", () => {
    const folder = join(root, "damaged");
    const lock = acquireFolderLock(folder);
    for (const note of ["", "{", "null", '{"pid":"x"}']) {
      writeFileSync(join(folder, "lock.json"), note);
      assert.throws(() => acquireFolderLock(folder), /is in use by another process\. Stop it/);
    }
    lock.release();
  });
});
