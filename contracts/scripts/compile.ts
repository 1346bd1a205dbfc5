import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ARTIFACTS_FOLDER, artifactOf } from "./artifacts.ts";
import { compile, listSources } from "./compiler.ts";

/** Compiles the sources and writes the artifacts; other files in their folder are deleted. */
function writeArtifacts(): void {
  const contracts = compile(listSources("sources"));
  const files = contracts.map(artifactOf);
  mkdirSync(ARTIFACTS_FOLDER, { recursive: true });
  for (const name of readdirSync(ARTIFACTS_FOLDER)) {
    if (!files.some((file) => file.name === name)) rmSync(join(ARTIFACTS_FOLDER, name));
  }
  for (const { name, text } of files) writeFileSync(join(ARTIFACTS_FOLDER, name), text);
  for (const { name, deployedBytes } of contracts) console.log(`${name.padEnd(16)} ${deployedBytes} bytes`);
}

writeArtifacts();
