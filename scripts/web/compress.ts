import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TEXTS = /\.(?:css|html|js|json|map|svg|txt|webmanifest|xml)$/;
/** Files smaller than a packet gain nothing. */
const MIN_BYTES = 1_000;
/** Higher qualities take many times as long for one percent less. */
const BROTLI_QUALITY = 9;
const GZIP_LEVEL = 9;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

async function compressFile(path: string): Promise<void> {
  if ((await stat(path)).size < MIN_BYTES) return;
  const contents = await readFile(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [br, gz] = await Promise.all([brotli(contents, { params }), gzipped(contents, { level: GZIP_LEVEL })]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
}

/** Writes a `.br` and a `.gz` beside every text file, so that the server compresses nothing. */
export async function compressTexts(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const texts = entries.filter((entry) => entry.isFile() && TEXTS.test(entry.name));
  await Promise.all(texts.map((entry) => compressFile(join(entry.parentPath, entry.name))));
}
