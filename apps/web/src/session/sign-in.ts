import { queryClient } from "../app/query-client.ts";
import { api, keepSession, sessions, staffApi } from "./session.ts";
import { createBurner, type Signer, signerOf, type WalletChoice, walletChoice } from "./wallets.ts";

/** SEC-1: a nonce from the server, signed by the wallet, for tokens. */
export async function signInWith(choice: WalletChoice): Promise<Signer> {
  const signer = await signerOf(choice);
  const { message_template } = await api.auth.nonce(signer.address);
  const signature = await signer.signMessage(message_template);
  const reply = await api.auth.login(message_template, signature);
  walletChoice.set(choice);
  keepSession("wallet", reply, reply.address ?? signer.address);
  // Drops the data of the wallet that was signed in before.
  queryClient.clear();
  return signer;
}

/** Development only: makes a key, asks the faucet for money, signs in. */
export async function startWithBurner(onStep: (step: string) => void): Promise<void> {
  onStep("Making a key in this browser");
  const choice: WalletChoice = { kind: "local", key: await createBurner() };
  const { address } = await signerOf(choice);
  onStep("Asking the faucet for test money");
  await api.dev.faucet({ address });
  onStep("Signing in");
  await signInWith(choice);
}

export async function signOut(): Promise<void> {
  try {
    await api.auth.logout();
  } finally {
    sessions.wallet.set(undefined);
    walletChoice.set(undefined);
    queryClient.clear();
  }
}

export async function staffSignIn(username: string, password: string): Promise<void> {
  const reply = await staffApi.auth.staffLogin(username, password);
  keepSession("staff", reply, username);
  queryClient.clear();
}

export async function staffSignOut(): Promise<void> {
  try {
    await staffApi.auth.logout();
  } finally {
    sessions.staff.set(undefined);
    queryClient.clear();
  }
}
