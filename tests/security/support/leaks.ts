/** Searches for secrets in everything that a server puts out. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The encodings in which a secret may be written. */
export function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf8");
  const isHex = /^(?:0x)?(?:[0-9a-fA-F]{2}){16,}$/.test(secret);
  const raw = isHex ? Buffer.from(secret.replace(/^0x/, ""), "hex") : bytes;
  // Without the last characters, which depend on what follows.
  const base64 = [bytes, raw].flatMap((each) => [each.toString("base64"), each.toString("base64url")]);
  const trimmed = base64.map((text) => text.replace(/=+$/, "").slice(0, -2));
  const forms = [
    secret,
    secret.replace(/^0x/, ""),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString("hex"),
    secret.split("").reverse().join(""),
    ...trimmed,
  ];
  return [...new Set(forms)];
}

export class Secrets {
  readonly #byName = new Map<string, string>();

  /** Records a secret and returns it. */
  keep(name: string, secret: string): string {
    if (secret.length < 8) throw new Error(`${name} is too short to be looked for`);
    // Several secrets of one kind are numbered.
    const taken = this.names().filter((each) => each.startsWith(name)).length;
    this.#byName.set(taken === 0 ? name : `${name} (${taken + 1})`, secret);
    return secret;
  }

  get count(): number {
    return this.#byName.size;
  }

  names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** The secrets that the text contains in any encoding, each with the encoding and its context. */
  findIn(text: string, except: ReadonlySet<string> = new Set()): string[] {
    const lower = text.toLowerCase();
    return [...this.#byName].flatMap(([name, secret]) => {
      if (except.has(name)) return [];
      const found = formsOf(secret).find((form) => lower.includes(form.toLowerCase()));
      if (found === undefined) return [];
      const at = lower.indexOf(found.toLowerCase());
      return [`${name} in "${text.slice(Math.max(0, at - 60), at)}…"`];
    });
  }
}

/** Every file below a folder, decoded as latin1. */
export async function* filesBelow(folder: string): AsyncGenerator<{ readonly path: string; readonly text: string }> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    yield { path: path.slice(folder.length + 1), text: (await readFile(path)).toString("latin1") };
  }
}
