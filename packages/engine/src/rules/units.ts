/**
 * The units of all rules. Prices are whole ticks, quantities whole lots, money whole micros (1e-6 USDT), rates and
 * fractions whole 1e-8. `unit_micros` is the value of one tick times one lot, a whole number by the market definition.
 * A position is signed lots plus its signed cost in micros.
 */

/** 1, in units of 1e-8. */
export const ONE_e8 = 100_000_000;

/** One USDT in micros. */
export const USDT_micros = 1_000_000;

/** Prices between two ticks (entry, liquidation) are shown in millionths of a tick. */
export const TICK_microTicks = 1_000_000;
