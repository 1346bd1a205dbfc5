import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createGzip } from "node:zlib";
import { syncFolder, UNFINISHED } from "../../kernel/journal/segments.ts";

/** A line of the archive's manifest. */
export interface ArchivedFile {
  readonly file: string;
  readonly table: string;
  readonly rows: number;
  readonly size_bytes: number;
  readonly sha256: string;
}

const MANIFEST = "manifest.ndjson";

/**
 * LOG-8: writes rows that are about to be removed into `BACKUP_DIR/history`, as compressed lines of JSON, and their checksum into
 * the manifest. Resolves when all of it is on the disk. Never replaces a file: a run that was cut short may have removed what is in it.
 */
export async function archiveRows(
  backupDir: string,
  table: string,
  name: string,
  lines: AsyncIterable<readonly string[]>,
): Promise<ArchivedFile | undefined> {
  const folder = join(backupDir, "history");
  const file = freeName(folder, `${table}/${name}`);
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true });
  const { rows, ...written } = await writeLines(`${path}${UNFINISHED}`, lines);
  if (rows === 0) {
    await rm(`${path}${UNFINISHED}`);
    return undefined;
  }
  await rename(`${path}${UNFINISHED}`, path);
  await syncFolder(dirname(path));
  const archived = { file, table, rows, ...written };
  await appendFile(join(folder, MANIFEST), `${JSON.stringify(archived)}\n`, { flush: true });
  await syncFolder(folder);
  return archived;
}

function freeName(folder: string, name: string): string {
  for (let number = 1; ; number += 1) {
    const file = number === 1 ? `${name}.ndjson.gz` : `${name}-${number}.ndjson.gz`;
    if (!existsSync(join(folder, file))) return file;
  }
}

async function writeLines(path: string, lines: AsyncIterable<readonly string[]>) {
  const handle = await open(path, "w");
  try {
    const gzip = createGzip();
    const hash = createHash("sha256");
    let rows = 0;
    let size_bytes = 0;
    const feed = async () => {
      for await (const part of lines) {
        if (part.length === 0) continue;
        rows += part.length;
        if (!gzip.write(`${part.join("\n")}\n`)) await new Promise((resolve) => gzip.once("drain", resolve));
      }
      gzip.end();
    };
    const fed = feed().catch((error: unknown) => gzip.destroy(error as Error));
    for await (const bytes of gzip) {
      hash.update(bytes as Buffer);
      size_bytes += (bytes as Buffer).length;
      await handle.appendFile(bytes as Buffer);
    }
    await fed;
    await handle.sync();
    return { rows, size_bytes, sha256: hash.digest("hex") };
  } finally {
    await handle.close();
  }
}
