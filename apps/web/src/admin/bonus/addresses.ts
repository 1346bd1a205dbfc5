import { isAddress } from "viem/utils";

const ZERO_ADDRESS = /^0x0{40}$/;
const SHAPE = /^0x[0-9a-fA-F]{40}$/;

/** The wallet in lower case; undefined where the text is none. Mixed case carries a checksum, which then has to be right. */
export function walletOf(text: string): string | undefined {
  if (!SHAPE.test(text) || ZERO_ADDRESS.test(text)) return undefined;
  const digits = text.slice(2);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isOneCase || isAddress(text, { strict: true }) ? text.toLowerCase() : undefined;
}

export interface BadLine {
  /** From 1 on. */
  readonly line: number;
  readonly text: string;
  readonly why: string;
}

export interface AddressList {
  /** Wallets in lower case, each once, in the order of the list. */
  readonly wallets: readonly string[];
  /** The line of each wallet in the text. */
  readonly lineOf: ReadonlyMap<string, number>;
  /** What was left out: no wallet, or there twice. */
  readonly left: readonly BadLine[];
}

function whyNot(text: string): string {
  if (ZERO_ADDRESS.test(text)) return "The zero address has no key.";
  if (SHAPE.test(text)) return "The checksum is wrong: one of its letters is mistyped.";
  if (/^0x/i.test(text)) return "An address is 0x and 40 hex digits.";
  return "This is no address.";
}

/** Headings and words around addresses, as spreadsheets export them. */
const isHeading = (piece: string, line: number) => line === 1 && /^(address|wallet|user|recipient)s?$/i.test(piece);

/**
 * Addresses as people paste them: one a line, or several with commas, semicolons or blanks between them, with quotes and
 * empty lines around. Everything that is left out is named with its line.
 */
export function parseAddresses(text: string): AddressList {
  const lineOf = new Map<string, number>();
  const left: BadLine[] = [];
  for (const [at, row] of text.split(/\r\n|\r|\n/).entries()) {
    const line = at + 1;
    const pieces = row
      .split(/[\s,;]+/)
      .map((piece) => piece.replace(/^["'`<]+|["'`>]+$/g, ""))
      .filter((piece) => piece !== "");
    for (const piece of pieces) {
      if (isHeading(piece, line)) continue;
      const wallet = walletOf(piece);
      if (wallet === undefined) left.push({ line, text: piece, why: whyNot(piece) });
      else if (lineOf.has(wallet)) {
        left.push({ line, text: piece, why: `Duplicate: line ${lineOf.get(wallet)} has it already.` });
      } else lineOf.set(wallet, line);
    }
  }
  return { wallets: [...lineOf.keys()], lineOf, left };
}
