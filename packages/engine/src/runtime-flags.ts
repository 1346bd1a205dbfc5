/**
 * Flags that the host sets in its JavaScript runtime before the engine runs. The hot path consists of many small
 * functions; by default the optimising compiler stops inlining them after 920 bytes of bytecode, and numbers beyond 32
 * bits are then boxed at every remaining call. That causes a quarter of the time and all garbage of a trade.
 */
export const RUNTIME_FLAGS: readonly string[] = Object.freeze(["--max-inlined-bytecode-size-cumulative=4000"]);
