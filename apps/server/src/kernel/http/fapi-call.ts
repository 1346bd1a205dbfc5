import type { Access, Principal } from "./access.ts";
import type { Budget } from "./limits.ts";
import type { FapiParameters } from "./parameters.ts";

/** What limits and authentication see of a call. Every HTTP request is one, and so is every request over a socket. */
export interface IncomingCall {
  /** The client's IP as limits and lists see it. */
  readonly address: string;
  readonly access: Access | undefined;
  /** By lower-case names; limits and authentication read `x-mbx-apikey`. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The key and the budget to which the call was counted; undefined before that. */
  weighed: { readonly key: string; readonly budget: Budget } | undefined;
}

/** A call of the exchange-style interface whose caller and parameters are known. */
export interface FapiCall extends IncomingCall {
  /** The authenticated caller; undefined for operations open to anyone. */
  readonly principal: Principal | undefined;
  readonly fapi: FapiParameters;
}

/** The counts that a reply carries, by the names of their headers. */
export type CountName = "x-mbx-used-weight-1m" | "x-mbx-order-count-10s" | "x-mbx-order-count-1m";

/** Takes the counts for the reply to a call. */
export interface CountedReply {
  header(name: CountName, value: number): unknown;
}
