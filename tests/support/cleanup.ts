/** Something whose end triggers cleanups: a test's context (`t`) is one. */
export interface Owner {
  after(fn: () => Promise<void>): void;
}

const stacks = new WeakMap<Owner, (() => Promise<void> | void)[]>();

async function runAll(undo: (() => Promise<void> | void)[]): Promise<void> {
  const errors: unknown[] = [];
  for (let next = undo.pop(); next !== undefined; next = undo.pop()) {
    try {
      await next();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, "cleaning up failed");
}

/** Runs a cleanup when this process ends, for resources without an owner: only synchronous calls are possible then. */
export function onExit(fn: () => void): { cancel(): void } {
  // In reverse order, here as well.
  process.prependOnceListener("exit", fn);
  return { cancel: () => process.off("exit", fn) };
}

/**
 * Runs a cleanup when the owner ends, passed or failed: in reverse order (a server stops before its folder is removed),
 * and each even if another fails. A test's own hooks guarantee neither.
 */
export function onCleanup(owner: Owner, fn: () => Promise<void> | void): void {
  const existing = stacks.get(owner);
  if (existing !== undefined) {
    existing.push(fn);
    return;
  }
  const undo = [fn];
  stacks.set(owner, undo);
  owner.after(() => runAll(undo));
}
