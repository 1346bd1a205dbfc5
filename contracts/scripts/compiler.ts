import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Abi, Hex } from "viem";

const CONTRACTS_FOLDER = join(import.meta.dirname, "..");
const LIBRARY = "@openzeppelin/contracts/";

/**
 * All settings that affect the bytecode. The source's hash is left out, so that a comment does not change the bytecode.
 */
const SETTINGS = {
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: "none" },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
} as const;

interface Compiler {
  version(): string;
  compile(input: string, callbacks: { import(path: string): { contents: string } | { error: string } }): string;
}

interface CompilerMessage {
  readonly severity: "error" | "warning" | "info";
  readonly formattedMessage: string;
  readonly sourceLocation?: { readonly file: string };
}

interface CompilerContract {
  readonly abi: Abi;
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: { readonly object: string };
  };
}

interface CompilerOutput {
  readonly errors?: readonly CompilerMessage[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, CompilerContract>>>>;
}

export interface CompiledContract {
  readonly name: string;
  readonly abi: Abi;
  readonly bytecode: Hex;
  /** The size of the code on chain, which is limited. */
  readonly deployedBytes: number;
}

const require = createRequire(import.meta.url);

/** A library's file by its package's name, any other from this folder. */
function readSource(path: string): { contents: string } | { error: string } {
  const file = path.startsWith(LIBRARY)
    ? join(dirname(require.resolve(`${LIBRARY}package.json`)), path.slice(LIBRARY.length))
    : join(CONTRACTS_FOLDER, path);
  try {
    return { contents: readFileSync(file, "utf8") };
  } catch (error) {
    return { error: `${path}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** The Solidity files of a folder, named from the workspace's root, in a fixed order. */
export function listSources(folder: string): readonly string[] {
  return readdirSync(join(CONTRACTS_FOLDER, folder))
    .filter((name) => name.endsWith(".sol"))
    .sort()
    .map((name) => `${folder}/${name}`);
}

/** Warnings in libraries are ignored; in sources of this workspace a warning counts as an error. */
const isRefused = ({ severity, sourceLocation }: CompilerMessage): boolean =>
  severity === "error" || sourceLocation === undefined || !sourceLocation.file.startsWith(LIBRARY);

/** Compiles files of this workspace. Returns from each file the contract that has its name. */
export function compile(paths: readonly string[]): readonly CompiledContract[] {
  // Loaded on use, because the compiler is several megabytes large.
  const compiler = require("solc") as Compiler;
  const sources = Object.fromEntries(paths.map((path) => [path, { content: contentsOf(path) }]));
  const input = JSON.stringify({ language: "Solidity", sources, settings: SETTINGS });
  const output = JSON.parse(compiler.compile(input, { import: readSource })) as CompilerOutput;
  const messages = (output.errors ?? []).filter(isRefused);
  if (messages.length > 0) throw new Error(messages.map(({ formattedMessage }) => formattedMessage).join("\n"));
  return paths.flatMap((path) => contractOf(output, path));
}

function contentsOf(path: string): string {
  const source = readSource(path);
  if ("error" in source) throw new Error(source.error);
  return source.contents;
}

function contractOf(output: CompilerOutput, path: string): CompiledContract[] {
  const name = path.slice(path.lastIndexOf("/") + 1, -".sol".length);
  const contract = output.contracts?.[path]?.[name];
  if (contract === undefined) throw new Error(`${path} holds no contract ${name}`);
  const { bytecode, deployedBytecode } = contract.evm;
  // Interfaces and abstract contracts have no code.
  if (bytecode.object === "") return [];
  const deployedBytes = deployedBytecode.object.length / 2;
  return [{ name, abi: contract.abi, bytecode: `0x${bytecode.object}`, deployedBytes }];
}
