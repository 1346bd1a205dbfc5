import { createHmac } from "node:crypto";
import { createClient } from "@bourse/api";
import { privateKeyToAccount } from "viem/accounts";

/** A wallet with an API key. */
export interface Bot {
  readonly address: string;
  readonly api_key: string;
  readonly api_secret: string;
}

/** Signs a wallet in and creates its key. The same number gives the same wallet. */
export async function makeBot(baseUrl: string, number: number): Promise<Bot> {
  const account = privateKeyToAccount(`0x${"5a".repeat(31)}${number.toString(16).padStart(2, "0")}`);
  let token: string | undefined;
  const client = createClient({ baseUrl, accessToken: () => token });
  const { message_template } = await client.auth.nonce(account.address);
  token = (await client.auth.login(message_template, await account.signMessage({ message: message_template })))
    .access_token;
  const key = await client.account.createApiKey({ label: "bench", permissions: ["READ", "TRADE"] });
  return { address: account.address, api_key: key.api_key, api_secret: key.api_secret };
}

/** A signed POST as bytes for a kept-alive connection. */
export function signedPost(bot: Bot, port: number, path: string, parameters: string, timestamp: number): string {
  const text = `${parameters}&recvWindow=60000&timestamp=${timestamp}`;
  const body = `${text}&signature=${createHmac("sha256", bot.api_secret).update(text).digest("hex")}`;
  return (
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-mbx-apikey: ${bot.api_key}\r\n` +
    `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  );
}
