/**
 * What the host tells its JavaScript runtime before the engine runs. The hot path is made of many small functions; by
 * default the optimising compiler stops putting them into their callers after 920 bytes of bytecode, and numbers beyond
 * 32 bits are then boxed at every call that is left. A quarter of the time and all garbage of a trade come from that.
 */
export const RUNTIME_FLAGS: readonly string[] = Object.freeze(["--max-inlined-bytecode-size-cumulative=4000"]);
