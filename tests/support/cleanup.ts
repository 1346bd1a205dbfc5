/** Whatever outlives a call and has to be undone: a test's context (`t`) is one. */
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

/** Undoes something when this process ends, for what has no owner: it can do no more than a synchronous call. */
export function onExit(fn: () => void): { cancel(): void } {
  // The last done first, here as well.
  process.prependOnceListener("exit", fn);
  return { cancel: () => process.off("exit", fn) };
}

/**
 * Undoes something when the owner ends, whether it passed or failed: the last done first (a server stops before its
 * folder is removed), and each even when another fails. A test's own hooks promise neither.
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
