#!/usr/bin/env node
/*
 * Checks that a rebate record is under the root of its settled day, without the server and its code. See
 * docs/rules/rebates.md for the layout. In a browser `crypto.subtle.digest("SHA-256", bytes)` replaces the hash.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const HELP = `usage: node scripts/verify-rebate.mjs [proof.json] [--root 0x…]

Reads a proof as GET /api/v1/broker/rebate-records/:id/proof answers it, from the file or from standard input ("-" or no
name), rebuilds the leaf from the record's fields, walks up by the siblings, and compares the result with the root.

  --root 0x…   the root to compare with, such as one kept from GET /api/v1/broker/settlements/:period/root;
               without it the proof's own root is taken, which shows only that the proof agrees with itself
  --help       this text

Ends with 0 where the proof is valid, with 1 where it is not or cannot be read.
`;

const FIELDS = [
  "version",
  "kind",
  "period",
  "owner",
  "downline_wallet",
  "revision",
  "fee",
  "nominal",
  "customer",
  "share",
  "net",
  "rate",
  "customer_ratio",
  "share_ratio",
];
const MAX_SIBLINGS = 64;

const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const hex = (bytes) => `0x${bytes.toString("hex")}`;

function fail(message) {
  throw new Error(message);
}

function bytes32(name, text) {
  if (typeof text !== "string" || !/^0x[0-9a-fA-F]{64}$/.test(text)) fail(`${name} is not 0x and 64 hex digits`);
  return Buffer.from(text.slice(2), "hex");
}

/** The record's fields, one per line; no field contains a line break. */
function leafText(record) {
  if (typeof record !== "object" || record === null) fail("the proof has no record");
  return FIELDS.map((name) => {
    const value = record[name];
    const isText = typeof value === "string" && value !== "" && !/[\r\n]/.test(value);
    if (!isText && !Number.isSafeInteger(value)) fail(`record.${name} is missing or not a line of text`);
    return String(value);
  }).join("\n");
}

function climb(leaf, siblings) {
  if (!Array.isArray(siblings) || siblings.length > MAX_SIBLINGS) fail("siblings is not a list of hashes");
  let node = leaf;
  for (const [step, sibling] of siblings.entries()) {
    const neighbour = bytes32(`siblings[${step}].hash`, sibling?.hash);
    if (sibling.position === "left") node = sha256(Buffer.from([1]), neighbour, node);
    else if (sibling.position === "right") node = sha256(Buffer.from([1]), node, neighbour);
    else fail(`siblings[${step}].position is neither left nor right`);
  }
  return node;
}

/** Compares the computed root with the given one. */
function verify(proof, wantedRoot) {
  const text = leafText(proof.record);
  const leaf = sha256(Buffer.from([0]), Buffer.from(text, "utf8"));
  const reached = climb(leaf, proof.siblings);
  const root = bytes32("root", wantedRoot ?? proof.root);
  return [
    { name: "version", is: proof.record.version, wanted: "bourse-rebate-v1" },
    { name: "period", is: proof.record.period, wanted: proof.period },
    { name: "leaf", is: hex(leaf), wanted: hex(bytes32("leaf", proof.leaf)) },
    { name: wantedRoot === undefined ? "root (of the proof itself)" : "root", is: hex(reached), wanted: hex(root) },
  ];
}

function readArguments(words) {
  const options = { file: "-", root: undefined, isHelp: false };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === "--help" || word === "-h") options.isHelp = true;
    else if (word === "--root") {
      at += 1;
      options.root = words[at] ?? fail("--root needs a value");
    } else if (word.startsWith("--root=")) options.root = word.slice("--root=".length);
    else if (word.startsWith("-") && word !== "-") fail(`unknown option ${word}; see --help`);
    else options.file = word;
  }
  return options;
}

function main() {
  const { file, root, isHelp } = readArguments(process.argv.slice(2));
  if (isHelp) {
    process.stdout.write(HELP);
    return 0;
  }
  const proof = JSON.parse(readFileSync(file === "-" ? 0 : file, "utf8"));
  if (typeof proof !== "object" || proof === null) fail("the proof is not a JSON object");
  const compared = verify(proof, root);
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
