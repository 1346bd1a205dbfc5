import { useSyncExternalStore } from "react";

/** A value outside React's tree that tells its readers when it has changed. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  update(change: (value: T) => T): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const store: Store<T> = {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    update: (change) => store.set(change(value)),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return store;
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

/** A store whose value survives a reload. What was kept is handed to `read`, which answers with something usable. */
export function createKeptStore<T>(key: string, read: (kept: unknown) => T): Store<T> {
  const store = createStore(read(readKept(key)));
  store.subscribe(() => writeKept(key, store.get()));
  return store;
}

function readKept(key: string): unknown {
  try {
    const text = globalThis.localStorage?.getItem(key);
    return text === null || text === undefined ? undefined : JSON.parse(text);
  } catch {
    // A browser that keeps nothing or a text that is none of ours: as if nothing had been kept.
    return undefined;
  }
}

function writeKept(key: string, value: unknown): void {
  try {
    if (value === undefined) globalThis.localStorage?.removeItem(key);
    else globalThis.localStorage?.setItem(key, JSON.stringify(value));
  } catch {
    // A full or forbidden store: the value lives until the page is closed.
  }
}
