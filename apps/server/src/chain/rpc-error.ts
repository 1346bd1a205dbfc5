import type { Hex } from "viem";

/** The codes of JSON-RPC, and those that chains have added. */
export const RPC_CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  /** A transaction that is refused, a block that is not there, and the like. */
  refused: -32_000,
  limitExceeded: -32_005,
  reverted: 3,
} as const;

/** What a caller is told; `data` is what a reverted call has returned. */
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
