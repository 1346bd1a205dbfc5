/** Repeating timers, which a test can run manually. */
export interface Timers {
  /** Calls `run` every `period_ms` of real time until the returned function is called. */
  every(period_ms: number, run: () => void): () => void;
}

/** Real time. Does not keep the process alive. */
export const systemTimers: Timers = {
  every(period_ms, run) {
    const timer = setInterval(run, period_ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};
