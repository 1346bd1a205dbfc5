import type { Hub, Topic } from "./topics.ts";

/** The wallets of accounts. The engine may have an account shortly before its wallet is known here. */
export interface WalletDirectory {
  numberOf(address: string): number | undefined;
  addressOf(account: number): string | undefined;
  /** Calls the listener once for every account whose wallet becomes known. */
  onKnown(listener: (account: number, address: string) => void): void;
}

type KeyOf = (address: string) => string;

/**
 * The topics of single wallets, by account. Messages for an account whose wallet is not known yet wait until it is,
 * because its owner may have subscribed before the account existed.
 */
export class PrivateTopics {
  readonly #hub: Hub;
  readonly #directory: WalletDirectory;
  readonly #waiting = new Map<number, { readonly keyOf: KeyOf; readonly text: string }[]>();

  constructor(hub: Hub, directory: WalletDirectory) {
    this.#hub = hub;
    this.#directory = directory;
    directory.onKnown((account, address) => this.#send(account, address));
  }

  /** Undefined if nobody follows it. */
  find(account: number, keyOf: KeyOf): Pick<Topic, "publish"> | undefined {
    if (this.#hub.count === 0) return undefined;
    const address = this.#directory.addressOf(account);
    if (address !== undefined) return this.#hub.find(keyOf(address));
    return { publish: (text) => this.#hold(account, keyOf, text) };
  }

  #hold(account: number, keyOf: KeyOf, text: string): void {
    const waiting = this.#waiting.get(account);
    if (waiting === undefined) this.#waiting.set(account, [{ keyOf, text }]);
    else waiting.push({ keyOf, text });
  }

  #send(account: number, address: string): void {
    const waiting = this.#waiting.get(account);
    if (waiting === undefined) return;
    this.#waiting.delete(account);
    for (const { keyOf, text } of waiting) this.#hub.find(keyOf(address))?.publish(text);
  }
}
