import { join, sep } from "node:path";
import { build } from "vite";
import { compressTexts } from "./compress.ts";
import { isInFingerprint } from "./fingerprint.ts";

/** The project's own files among the bundled ones. */
function ownModules(root: string, output: Awaited<ReturnType<typeof build>>): string[] {
  const chunks = [output].flat().flatMap((part) => ("output" in part ? part.output : []));
  const ids = chunks.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  return ids
    .map((id) => id.split("?")[0] ?? id)
    .filter((id) => id.startsWith(root + sep) && !id.includes(`${sep}node_modules${sep}`));
}

/** Variables of the shell would get into the build without changing its fingerprint. */
function forgetShell(): void {
  for (const name of Object.keys(process.env).filter((name) => name.startsWith("VITE_"))) delete process.env[name];
  process.env["NODE_ENV"] = "production";
}

/** Builds the web app for production into the given folder. */
export async function bundle(root: string, folder: string): Promise<void> {
  forgetShell();
  const output = await build({
    root: join(root, "apps", "web"),
    mode: "production",
    envDir: false,
    logLevel: "warn",
    build: { outDir: folder, emptyOutDir: true },
  });
  const unnoticed = ownModules(root, output).find((path) => !isInFingerprint(root, path));
  if (unnoticed !== undefined) {
    throw new Error(`${unnoticed} is part of the web app, but scripts/web/fingerprint.ts does not look at it.`);
  }
  await compressTexts(folder);
}
