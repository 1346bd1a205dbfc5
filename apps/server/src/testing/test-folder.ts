import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An empty folder for one test. */
export function makeTestFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "bourse-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
