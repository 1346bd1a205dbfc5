/** What repeats, so that a test can step by hand what a running exchange does every second. */
export interface Timers {
  /** Calls `run` every so many milliseconds of real time until the answer is called. */
  every(period_ms: number, run: () => void): () => void;
}

/** Real time. Keeps no process alive. */
export const systemTimers: Timers = {
  every(period_ms, run) {
    const timer = setInterval(run, period_ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};
