import { createHmac } from "node:crypto";
import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { ApiKeys } from "../../identity/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import { FapiClient } from "./fapi-client.ts";
import { readBalance_e8 } from "./replies.ts";

const E8 = 100_000_000;

export interface DemoWalletOptions {
  readonly baseUrl: string;
  readonly clock: Clock;
  /** Wallets are derived from the seed. It is a secret of the installation: with it one knows their private keys. */
  readonly walletSeed: string;
  readonly apiKeys: Pick<ApiKeys, "create" | "list" | "revoke">;
  /** Gives a wallet USDT to trade with; resolves when the exchange has credited it. */
  readonly fund: (address: string, usdt: string) => Promise<void>;
  /** Called with each key of the demo, so that its limits can be raised (WIRE-1). */
  readonly onKey?: ((apiKey: string, label: string) => void) | undefined;
}

/** The private key of a demo wallet. */
export function demoKey(walletSeed: string, label: string): Hex {
  return `0x${createHmac("sha256", walletSeed).update(`demo wallet: ${label}`).digest("hex")}`;
}

/** The address of a demo wallet, lower case. */
export function demoAddress(walletSeed: string, label: string): string {
  return privateKeyToAccount(demoKey(walletSeed, label)).address.toLowerCase();
}

/** A wallet of the demo: its key, its money and its client. */
export class DemoWallet {
  readonly address: string;
  readonly label: string;
  readonly #options: DemoWalletOptions;
  readonly #wanted_usdt: number;
  #client: FapiClient | undefined;

  constructor(label: string, wanted_usdt: number, options: DemoWalletOptions) {
    this.label = label;
    this.#wanted_usdt = wanted_usdt;
    this.#options = options;
    this.address = demoAddress(options.walletSeed, label);
  }

  /** Signed with a key that works from this machine only. A secret cannot be read again, so every start makes a new key. */
  async client(): Promise<FapiClient> {
    if (this.#client !== undefined) return this.#client;
    const { apiKeys, baseUrl, clock, onKey } = this.#options;
    const nobody = { ip: null, request_id: null };
    for (const old of await apiKeys.list(this.address)) {
      if (old.label === this.label) await apiKeys.revoke(this.address, old.api_key, nobody);
    }
    const key = await apiKeys.create(
      {
        wallet: this.address,
        label: this.label,
        permissions: ["READ", "TRADE"],
        ip_whitelist: ["127.0.0.0/8", "::1/128"],
      },
      nobody,
    );
    onKey?.(key.api_key, this.label);
    this.#client = new FapiClient({ baseUrl, clock, key });
    return this.#client;
  }

  /** Tops the wallet up if less than half of its target is left. */
  async fillUp(): Promise<void> {
    const client = await this.client();
    const balance_usdt = readBalance_e8(await client.signed("GET", "/fapi/v2/balance")) / E8;
    const missing_usdt = Math.ceil(this.#wanted_usdt - balance_usdt);
    if (missing_usdt * 2 > this.#wanted_usdt) await this.#options.fund(this.address, String(missing_usdt));
  }
}
