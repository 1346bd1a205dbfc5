import type { EIP1193Provider, Hex, LocalAccount, WalletClient } from "viem";
import { createKeptStore, createStore, type Store } from "../lib/store.ts";

/** A key kept in this browser: a burner or a persona of the demo. Development only, without value. */
export interface LocalKey {
  readonly name: string;
  readonly private_key: Hex;
}

export interface InjectedWallet {
  readonly rdns: string;
  readonly name: string;
  readonly icon: string;
  readonly provider: EIP1193Provider;
}

/** Which wallet the session belongs to, so that it can sign again after a reload. */
export type WalletChoice =
  | { readonly kind: "local"; readonly key: LocalKey }
  | { readonly kind: "injected"; readonly rdns: string };

function readChoice(kept: unknown): WalletChoice | undefined {
  const choice = (kept ?? {}) as { kind?: unknown };
  return choice.kind === "local" || choice.kind === "injected" ? (kept as WalletChoice) : undefined;
}

export const walletChoice: Store<WalletChoice | undefined> = createKeptStore("bourse.wallet", readChoice);

/** Wallets that have announced themselves to the page (EIP-6963). */
export const injectedWallets: Store<readonly InjectedWallet[]> = createStore<readonly InjectedWallet[]>([]);

interface Announcement {
  readonly detail: { readonly info: { rdns: string; name: string; icon: string }; readonly provider: EIP1193Provider };
}

/** Asks for wallets and listens to those that come later. */
export function discoverWallets(): void {
  window.addEventListener("eip6963:announceProvider", (event) => {
    const { info, provider } = (event as unknown as Announcement).detail;
    const { rdns, name, icon } = info;
    injectedWallets.update((known) =>
      known.some((wallet) => wallet.rdns === rdns) ? known : [...known, { rdns, name, icon, provider }],
    );
  });
  window.dispatchEvent(new Event("eip6963:requestProvider"));
}

/** Signs in the name of an address. viem is loaded when it is needed first. */
export interface Signer {
  readonly address: Hex;
  signMessage(message: string): Promise<Hex>;
  /** For transactions. */
  chainWallet(rpcUrl: string, chainId: number): Promise<WalletClient>;
}

async function localSigner({ private_key }: LocalKey): Promise<Signer> {
  const { privateKeyToAccount } = await import("viem/accounts");
  const account: LocalAccount = privateKeyToAccount(private_key);
  return {
    address: account.address,
    signMessage: (message) => account.signMessage({ message }),
    chainWallet: async (rpcUrl, chainId) => {
      const { chainOf, createWalletClient, http } = await import("./chain-parts.ts");
      return createWalletClient({ account, chain: chainOf(chainId, rpcUrl), transport: http(rpcUrl) });
    },
  };
}

async function injectedSigner({ provider, name }: InjectedWallet): Promise<Signer> {
  const { chainOf, createWalletClient, custom, stringToHex } = await import("./chain-parts.ts");
  const [address] = await provider.request({ method: "eth_requestAccounts" });
  if (address === undefined) throw new Error(`${name} has shared no address`);
  return {
    address,
    signMessage: (message) => provider.request({ method: "personal_sign", params: [stringToHex(message), address] }),
    chainWallet: async (rpcUrl, chainId) => {
      const chain = chainOf(chainId, rpcUrl);
      const wallet = createWalletClient({ account: address, chain, transport: custom(provider) });
      if ((await wallet.getChainId()) !== chainId) {
        // A wallet that does not know the chain yet refuses to switch to it, and takes it when it is added.
        await wallet.switchChain({ id: chainId }).catch(() => wallet.addChain({ chain }));
      }
      return wallet;
    },
  };
}

export function signerOf(choice: WalletChoice): Promise<Signer> {
  if (choice.kind === "local") return localSigner(choice.key);
  const wallet = injectedWallets.get().find(({ rdns }) => rdns === choice.rdns);
  if (wallet === undefined) throw new Error("The wallet you signed in with is no longer in this browser");
  return injectedSigner(wallet);
}

/** A new key for trying out the exchange. */
export async function createBurner(): Promise<LocalKey> {
  const { generatePrivateKey } = await import("viem/accounts");
  return { name: "Burner wallet", private_key: generatePrivateKey() };
}
