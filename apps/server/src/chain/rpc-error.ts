import type { Hex } from "viem";

/** The codes of JSON-RPC and those added by chains. */
export const RPC_CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  /** A refused transaction, a missing block, and the like. */
  refused: -32_000,
  limitExceeded: -32_005,
  reverted: 3,
} as const;

/** An error for the caller; `data` is the return data of a reverted call. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: Hex | undefined;

  constructor(code: number, message: string, data?: Hex) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
  }
}
