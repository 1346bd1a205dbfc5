import { type Address, concatHex, encodeAbiParameters, type Hex, isAddress, keccak256, zeroAddress } from "viem";

/** The amount of one payee. */
export interface RebateLine {
  readonly address: string;
  readonly amount_micros: bigint;
}

/** The part of a payout that fits into one transaction. */
export interface RebatePart {
  /** Starts at 1. */
  readonly number: number;
  /** The contract's id of the part, which it accepts once. */
  readonly batchId: Hex;
  readonly users: readonly Address[];
  readonly amounts: readonly bigint[];
}

export const MAX_LINES_PER_PART = 200;
const MAX_MICROS = 2n ** 63n - 1n;

/** Lower case and ordered by address: the order of the input must not change the payment. */
function ordered(lines: readonly RebateLine[]): { user: Address; amount: bigint }[] {
  const seen = new Set<string>();
  const rows = lines.map(({ address, amount_micros: amount }) => {
    const user = address.toLowerCase() as Address;
    if (!isAddress(user) || user === zeroAddress) throw new RangeError(`${address} is no payee`);
    if (amount <= 0n || amount > MAX_MICROS) throw new RangeError(`${amount} cannot be paid to ${address}`);
    if (seen.has(user)) throw new RangeError(`${address} is named twice`);
    seen.add(user);
    return { user, amount };
  });
  return rows.sort((one, other) => (one.user < other.user ? -1 : 1));
}

export interface RebatePlan {
  readonly parts: readonly RebatePart[];
  readonly total: bigint;
  /** The same for the same lines, and different for others. */
  readonly digest: Hex;
}

/** REF-3: splits a payout. The same reference on the same contract always gives the same ids. */
export function planParts(
  batchRef: string,
  lines: readonly RebateLine[],
  { chainId, contract }: { readonly chainId: number; readonly contract: Address },
): RebatePlan {
  if (batchRef === "") throw new RangeError("a payout needs a name");
  if (lines.length === 0) throw new RangeError("a payout needs a payee");
  const rows = ordered(lines);
  const parts: RebatePart[] = [];
  for (let first = 0; first < rows.length; first += MAX_LINES_PER_PART) {
    const number = parts.length + 1;
    const own = rows.slice(first, first + MAX_LINES_PER_PART);
    const batchId = keccak256(
      encodeAbiParameters(
        [{ type: "string" }, { type: "uint256" }, { type: "address" }, { type: "uint256" }],
        [batchRef, BigInt(chainId), contract, BigInt(number)],
      ),
    );
    parts.push({ number, batchId, users: own.map(({ user }) => user), amounts: own.map(({ amount }) => amount) });
  }
  const total = rows.reduce((sum, { amount }) => sum + amount, 0n);
  const encoded = rows.map(({ user, amount }) =>
    encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [user, amount]),
  );
  return { parts, total, digest: keccak256(concatHex(encoded)) };
}
