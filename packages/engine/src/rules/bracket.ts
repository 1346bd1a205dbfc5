/**
 * A row of the leverage table (FUT-10): it applies to notionals above the previous row's cap, up to and including its
 * own.
 */
export interface Bracket {
  readonly cap_micros: number;
  readonly maxLeverage: number;
  readonly maintenanceRate_e8: number;
  /** Makes the maintenance margin continuous between two brackets. */
  readonly cumulative_micros: number;
}
