/**
 * Checks that a text is a leaf under a published root, with nothing but the browser's own SHA-256: a leaf is
 * SHA-256(0x00 ‖ text), a node SHA-256(0x01 ‖ left ‖ right).
 */
export interface Sibling {
  readonly position: "left" | "right";
  readonly hash: string;
}

/** One thing that was compared. */
export interface Comparison {
  readonly what: string;
  /** Worked out here. */
  readonly found: string;
  /** Claimed by the exchange. */
  readonly claimed: string;
  readonly isSame: boolean;
}

export interface ProofCheck {
  readonly isValid: boolean;
  readonly leafText: string;
  readonly leaf: string;
  /** Each neighbour on the way up and the node it leads to; the last node is the root. */
  readonly steps: readonly (Sibling & { readonly node: string })[];
  readonly comparisons: readonly Comparison[];
}

const MAX_SIBLINGS = 64;
const LEAF = 0;
const NODE = 1;

export class ProofUnreadable extends Error {
  override readonly name = "ProofUnreadable";
}

function bytesOf(name: string, text: string): Uint8Array {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new ProofUnreadable(`${name} is not 0x and 64 hex digits`);
  return Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(text.slice(2 + 2 * at, 4 + 2 * at), 16));
}

const hexOf = (bytes: Uint8Array): string =>
  `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;

async function hash(prefix: number, ...parts: readonly Uint8Array[]): Promise<Uint8Array> {
  // Browsers offer it to pages that came over an encrypted connection or from this machine only.
  const digest = globalThis.crypto?.subtle;
  if (digest === undefined) {
    throw new ProofUnreadable("this browser hashes only on pages that came over https; open the portal there");
  }
  const whole = new Uint8Array(1 + parts.reduce((length, part) => length + part.length, 0));
  whole[0] = prefix;
  let at = 1;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await digest.digest("SHA-256", whole));
}

/** Fields as the lines of a leaf. None of them may hold a line break, or two records could have one text. */
export function leafTextOf(fields: readonly (readonly [name: string, value: unknown])[]): string {
  const lines = fields.map(([name, value]) => {
    const isLine = typeof value === "string" && value !== "" && !/[\r\n]/.test(value);
    if (!isLine && !Number.isSafeInteger(value)) throw new ProofUnreadable(`${name} is missing or not a line of text`);
    return String(value);
  });
  return lines.join("\n");
}

export const compare = (what: string, found: string, claimed: string): Comparison => ({
  what,
  found,
  claimed,
  isSame: found === claimed,
});

interface Claim {
  readonly leafText: string;
  readonly leaf: string;
  readonly siblings: readonly Sibling[];
  /** Every root the result must agree with, by name. */
  readonly roots: readonly { readonly name: string; readonly root: string }[];
  /** What else was compared. */
  readonly others?: readonly Comparison[];
}

export async function checkProof({ leafText, leaf, siblings, roots, others = [] }: Claim): Promise<ProofCheck> {
  if (!Array.isArray(siblings) || siblings.length > MAX_SIBLINGS) {
    throw new ProofUnreadable("the siblings are not a list of hashes");
  }
  const foundLeaf = await hash(LEAF, new TextEncoder().encode(leafText));
  const steps: (Sibling & { node: string })[] = [];
  let node = foundLeaf;
  for (const [step, { position, hash: neighbourHash }] of siblings.entries()) {
    const neighbour = bytesOf(`sibling ${step + 1}`, neighbourHash);
    if (position === "left") node = await hash(NODE, neighbour, node);
    else if (position === "right") node = await hash(NODE, node, neighbour);
    else throw new ProofUnreadable(`sibling ${step + 1} is neither left nor right`);
    steps.push({ position, hash: neighbourHash, node: hexOf(node) });
  }
  const comparisons = [
    ...others,
    compare("Leaf", hexOf(foundLeaf), hexOf(bytesOf("the leaf", leaf))),
    ...roots.map(({ name, root }) => compare(name, hexOf(node), hexOf(bytesOf(name, root)))),
  ];
  const isValid = roots.length > 0 && comparisons.every(({ isSame }) => isSame);
  return { isValid, leafText, leaf: hexOf(foundLeaf), steps, comparisons };
}
