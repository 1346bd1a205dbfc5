import { type FileHandle, open } from "node:fs/promises";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

/** Syncs in progress that wait until the test lets them pass or fail. */
export interface HeldDisk {
  /** Resolves when a sync was requested and waits. */
  reached(): Promise<void>;
  pass(): void;
  fail(code: string): void;
}

/** From now on until the test ends, every `datasync` of this process waits. */
export async function holdDisk(t: TestContext): Promise<HeldDisk> {
  // The class of file handles is not exported, so it is taken from a handle.
  const handle = await open(fileURLToPath(import.meta.url));
  const disk = Object.getPrototypeOf(handle) as Pick<FileHandle, "datasync">;
  await handle.close();
  const real = disk.datasync;
  t.after(() => {
    disk.datasync = real;
  });
  let held = Promise.withResolvers<void>();
  let reached = Promise.withResolvers<void>();
  disk.datasync = async function (this: FileHandle) {
    reached.resolve();
    await held.promise;
    return real.call(this);
  };
  const next = () => {
    const current = held;
    held = Promise.withResolvers<void>();
    reached = Promise.withResolvers<void>();
    return current;
  };
  return {
    reached: () => reached.promise,
    pass: () => next().resolve(),
    fail: (code) => next().reject(Object.assign(new Error(`${code}: made up by a test`), { code })),
  };
}
