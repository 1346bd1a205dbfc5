#!/usr/bin/env node
/*
 * Checks that a wallet's allocation is under the season's root, without the server and its code. A leaf is SHA-256 of a
 * zero byte and the text, a node SHA-256 of a one byte and its two children, left and right.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const HELP = `usage: node scripts/verify-allocation.mjs [allocation.json] [--root 0x…]

Reads what GET /api/v1/points/seasons/:id/allocation/:address answers, from the file or from standard input ("-" or no
name), rebuilds the leaf from its fields, walks up by the siblings, and compares the result with the root.

  --root 0x…   the root to compare with, such as one kept from GET /api/v1/points/seasons;
               without it the answer's own root is taken, which shows only that the answer agrees with itself
  --help       this text

Ends with 0 where the proof is valid, with 1 where it is not or cannot be read.
`;

const VERSION = "bourse-allocation-v1";
const FIELDS = ["season_id", "address", "points", "level", "weight", "user_tokens", "maker_volume", "mm_tokens"];
const MAX_SIBLINGS = 64;

const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const hex = (bytes) => `0x${bytes.toString("hex")}`;

function bytes32(name, text) {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text.slice(2), "hex");
  throw new Error(`${name} is not 0x and 64 hex digits`);
}

/** One field per line; no field contains a line break. */
function leafText(allocation) {
  const lines = FIELDS.map((name) => {
    const value = allocation[name];
    const isText = typeof value === "string" && value !== "" && !/[\r\n]/.test(value);
    if (isText || Number.isSafeInteger(value)) return String(value);
    throw new Error(`${name} is missing or not a line of text`);
  });
  return [VERSION, ...lines].join("\n");
}

function climb(leaf, siblings) {
  if (!Array.isArray(siblings) || siblings.length > MAX_SIBLINGS) throw new Error("siblings is not a list of hashes");
  return siblings.reduce((node, sibling, step) => {
    const neighbour = bytes32(`siblings[${step}].hash`, sibling?.hash);
    if (sibling.position === "left") return sha256(Buffer.from([1]), neighbour, node);
    if (sibling.position === "right") return sha256(Buffer.from([1]), node, neighbour);
    throw new Error(`siblings[${step}].position is neither left nor right`);
  }, leaf);
}

/** Compares the computed root with the given one. */
function verify(allocation, wantedRoot) {
  const leaf = sha256(Buffer.from([0]), Buffer.from(leafText(allocation), "utf8"));
  const reached = climb(leaf, allocation.siblings);
  const root = bytes32("root", wantedRoot ?? allocation.root);
  const { tokens, user_tokens, mm_tokens } = allocation;
  return [
    { name: "tokens", is: user_tokens + mm_tokens, wanted: tokens },
    { name: "leaf", is: hex(leaf), wanted: hex(bytes32("leaf", allocation.leaf)) },
    { name: wantedRoot === undefined ? "root (of the answer itself)" : "root", is: hex(reached), wanted: hex(root) },
  ];
}

function main() {
  const { values, positionals } = parseArgs({
    options: { root: { type: "string" }, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const [file = "-"] = positionals;
  const allocation = JSON.parse(readFileSync(file === "-" ? 0 : file, "utf8"));
  if (typeof allocation !== "object" || allocation === null) throw new Error("the answer is not a JSON object");
  const compared = verify(allocation, values.root);
  const isValid = compared.every(({ is, wanted }) => is === wanted);
  for (const { name, is, wanted } of compared) {
    process.stdout.write(is === wanted ? `same       ${name}: ${is}\n` : `DIFFERENT  ${name}: ${is}, not ${wanted}\n`);
  }
  process.stdout.write(`${isValid ? "VALID" : "INVALID"}\n`);
  return isValid ? 0 : 1;
}

try {
  process.exitCode = main();
} catch (error) {
  process.stdout.write(`INVALID\n${error.message}\n`);
  process.exitCode = 1;
}
