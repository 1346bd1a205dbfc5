import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import {
  ByteReader,
  ByteWriter,
  CodecFault,
  type Command,
  commitmentTo,
  DIGEST_bytes,
  type Disclosure,
  disclosureOf,
  type State,
} from "@bourse/engine";

/**
 * LOG-1: the wallets of accounts and the salts of their commitments, as the private records of the log disclose them. They are no
 * part of the engine's state; a file beside each snapshot holds them, which is never published.
 */
export class Wallets {
  readonly #byAccount = new Map<number, Disclosure>();

  /** To be called after the engine has applied the command. */
  see(command: Command, { accounts }: State): void {
    if (command.kind !== "open_account" && command.kind !== "commit_wallet") return;
    const disclosed = disclosureOf(command);
    if (disclosed === undefined || accounts.commitment(command.account) !== command.commitment) return;
    this.#byAccount.set(command.account, disclosed);
  }

  /** The address; undefined where the log does not tell it. */
  of(account: number): string | undefined {
    return this.#byAccount.get(account)?.fields;
  }

  get count(): number {
    return this.#byAccount.size;
  }

  /** Replaces its contents by those of a file for this state. Answers what is wrong with the file, if anything. */
  load(path: string, state: State): string | undefined {
    this.#byAccount.clear();
    try {
      const bytes = existsSync(path) ? readFileSync(path) : EMPTY;
      for (const [account, disclosed] of decode(bytes)) this.#byAccount.set(account, disclosed);
    } catch (error) {
      if (!(error instanceof CodecFault)) throw error;
      return `${path}: ${error.message}`;
    }
    for (let account = 1; account <= state.accounts.count; account += 1) {
      const commitment = state.accounts.commitment(account);
      if (commitment === "") continue;
      const disclosed = this.#byAccount.get(account);
      if (disclosed === undefined) return `${path} lacks the wallet of account ${account}`;
      if (commitmentTo(disclosed.salt, disclosed.fields) !== commitment) {
        return `${path} has another wallet of account ${account} than the log commits to`;
      }
    }
    return undefined;
  }

  /** The contents of its file. */
  bytes(): Uint8Array {
    return encode(this.#byAccount);
  }
}

const MAGIC = "BOURSWAL 1";

function encode(wallets: ReadonlyMap<number, Disclosure>): Uint8Array {
  const writer = new ByteWriter();
  writer.text(MAGIC);
  writer.number(wallets.size);
  for (const [account, { salt, fields }] of wallets) {
    writer.number(account);
    writer.text(salt);
    writer.text(fields);
  }
  return Buffer.concat([writer.bytes, hash("sha256", writer.bytes, "buffer")]);
}

const EMPTY = encode(new Map());

function* decode(bytes: Uint8Array): Generator<[number, Disclosure]> {
  const content = bytes.subarray(0, Math.max(0, bytes.length - DIGEST_bytes));
  if (!hash("sha256", content, "buffer").equals(bytes.subarray(content.length))) throw new CodecFault("it is damaged");
  const reader = new ByteReader(content);
  if (reader.text() !== MAGIC) throw new CodecFault("it holds no wallets");
  for (let left = reader.count(); left > 0; left -= 1) {
    const account = reader.count();
    yield [account, { salt: reader.text(), fields: reader.text() }];
  }
}
