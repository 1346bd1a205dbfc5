import { type Account, createWalletClient, custom, publicActions } from "viem";
import { chainOf } from "../chain/client.ts";
import type { TestPlatform } from "./test-platform.ts";

/** A client that sends transactions by JSON-RPC, as any wallet does. */
export function walletClient({ post, settings }: Pick<TestPlatform, "post" | "settings">, account: Account) {
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    const reply = (await post("/rpc", { jsonrpc: "2.0", id: 1, method, params: params ?? [] })).json();
    if (reply.error !== undefined) throw Object.assign(new Error(reply.error.message), reply.error);
    return reply.result;
  };
  return createWalletClient({
    account,
    chain: chainOf(settings.chainId),
    transport: custom({ request }, { retryCount: 0 }),
    pollingInterval: 10,
  }).extend(publicActions);
}
