import { join } from "node:path";
import type { CompiledContract } from "./compiler.ts";

export const ARTIFACTS_FOLDER = join(import.meta.dirname, "..", "artifacts");

export interface ArtifactFile {
  readonly name: string;
  readonly text: string;
}

const FILE_NAMES: Readonly<Record<string, string>> = {
  TestUSDT: "test-usdt",
  Earn: "earn",
  ReferralRebate: "referral-rebate",
  Vault: "vault",
};

/** `test-usdt` → `testUsdt` */
const identifierOf = (fileName: string): string =>
  fileName.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A contract as a TypeScript file: its interface as a constant, so that every call of it is typed, and its code. */
export function artifactOf({ name, abi, bytecode }: CompiledContract): ArtifactFile {
  const fileName = FILE_NAMES[name];
  if (fileName === undefined) throw new Error(`there is no file name for the contract ${name}`);
  const identifier = identifierOf(fileName);
  const text = [
    `// ${name}, as contracts/scripts/compile.ts wrote it. Change the source and compile it again instead.`,
    "",
    `export const ${identifier}Abi = ${JSON.stringify(abi, null, 2)} as const;`,
    "",
    `export const ${identifier}Bytecode =`,
    `  "${bytecode}" as const;`,
    "",
  ].join("\n");
  return { name: `${fileName}.ts`, text };
}
