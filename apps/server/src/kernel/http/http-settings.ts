import type { AddressSet } from "../address-set.ts";

/** The settings that the HTTP server reads. */
export interface HttpSettings {
  readonly environment: "development" | "production";
  readonly devExposed: boolean;
  readonly publicUrl: string;
  readonly chainRpcUrl: string | undefined;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: AddressSet;
  readonly denyCidrs: AddressSet;
  readonly rateLimitWeight1m: number;
  readonly rateLimitOrders10s: number;
  readonly rateLimitOrders1m: number;
  readonly rateLimitJsonPerS: number;
  readonly rateLimitLogin1m: number;
}
