import { type FileHandle, open } from "node:fs/promises";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

/** Durable writes in progress that wait until the test lets them pass or fail. */
export interface HeldDisk {
  /** Resolves when something was written and waits. */
  reached(): Promise<void>;
  pass(): void;
  fail(code: string): void;
  /** What is written from now on does not wait. */
  release(): void;
}

/** From now on until the test ends, every write to an open file of this process waits before it counts as durable. */
export async function holdDisk(t: TestContext): Promise<HeldDisk> {
  // The class of file handles is not exported, so it is taken from a handle.
  const handle = await open(fileURLToPath(import.meta.url));
  const disk = Object.getPrototypeOf(handle) as Pick<FileHandle, "write">;
  await handle.close();
  const real = disk.write as (...args: unknown[]) => ReturnType<FileHandle["write"]>;
  const release = () => {
    disk.write = real as FileHandle["write"];
  };
  t.after(release);
  let held = Promise.withResolvers<void>();
  let reached = Promise.withResolvers<void>();
  disk.write = async function (this: FileHandle, ...args: unknown[]) {
    const written = await real.apply(this, args);
    reached.resolve();
    await held.promise;
    return written;
  } as FileHandle["write"];
  const next = () => {
    const current = held;
    held = Promise.withResolvers<void>();
    reached = Promise.withResolvers<void>();
    return current;
  };
  return {
    release,
    reached: () => reached.promise,
    pass: () => next().resolve(),
    fail: (code) => next().reject(Object.assign(new Error(`${code}: made up by a test`), { code })),
  };
}
