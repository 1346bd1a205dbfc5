import { type Address, concatHex, encodeAbiParameters, type Hex, isAddress, keccak256, zeroAddress } from "viem";

/** What one payee gets. */
export interface RebateLine {
  readonly address: string;
  readonly amount_micros: bigint;
}

/** One transaction's worth of a payout. */
export interface RebatePart {
  /** From 1 on. */
  readonly number: number;
  /** What the contract remembers it by, and takes once. */
  readonly batchId: Hex;
  readonly users: readonly Address[];
  readonly amounts: readonly bigint[];
}

export const MOST_LINES_PER_PART = 200;
const MOST_MICROS = 2n ** 63n - 1n;

/** Lower case and in the order of addresses: the order in which lines are given must not change what is paid. */
function ordered(lines: readonly RebateLine[]): { user: Address; amount: bigint }[] {
  const seen = new Set<string>();
  const rows = lines.map(({ address, amount_micros: amount }) => {
    const user = address.toLowerCase() as Address;
    if (!isAddress(user) || user === zeroAddress) throw new RangeError(`${address} is no payee`);
    if (amount <= 0n || amount > MOST_MICROS) throw new RangeError(`${amount} cannot be paid to ${address}`);
    if (seen.has(user)) throw new RangeError(`${address} is named twice`);
    seen.add(user);
    return { user, amount };
  });
  return rows.sort((one, other) => (one.user < other.user ? -1 : 1));
}

export interface RebatePlan {
  readonly parts: readonly RebatePart[];
  readonly total: bigint;
  /** The same for the same lines, and for no others. */
  readonly digest: Hex;
}

/** REF-3: how a payout is split. The same name on the same contract gives the same ids, whoever works them out. */
export function planParts(
  batchRef: string,
  lines: readonly RebateLine[],
  { chainId, contract }: { readonly chainId: number; readonly contract: Address },
): RebatePlan {
  if (batchRef === "") throw new RangeError("a payout needs a name");
  if (lines.length === 0) throw new RangeError("a payout needs a payee");
  const rows = ordered(lines);
  const parts: RebatePart[] = [];
  for (let first = 0; first < rows.length; first += MOST_LINES_PER_PART) {
    const number = parts.length + 1;
    const own = rows.slice(first, first + MOST_LINES_PER_PART);
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
