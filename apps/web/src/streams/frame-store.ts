import { createStore, type Store } from "../lib/store.ts";

const dirty = new Set<() => void>();
let isDue = false;

function runFrame(): void {
  isDue = false;
  const works = [...dirty];
  dirty.clear();
  for (const work of works) work();
}

/**
 * Runs the work with the next frame that the browser draws, once however often it is asked for. A page in the background
 * draws none, so nothing runs there until it is visible again.
 */
export function onNextFrame(work: () => void): void {
  dirty.add(work);
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(runFrame);
}

/** A store that notifies its readers at most once per frame; between frames only the latest value is kept. */
export interface FrameStore<T> extends Store<T> {
  /** The latest value, shown or not. */
  peek(): T;
}

export function createFrameStore<T>(initial: T): FrameStore<T> {
  const shown = createStore(initial);
  let latest = initial;
  const show = () => shown.set(latest);
  return {
    get: shown.get,
    subscribe: shown.subscribe,
    peek: () => latest,
    set(next) {
      latest = next;
      onNextFrame(show);
    },
    update(change) {
      latest = change(latest);
      onNextFrame(show);
    },
  };
}
