import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import type { NonceReply, TokenReply } from "@bourse/api";
import { type Client, createClient } from "@bourse/api/client";
import type { Page } from "playwright-core";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { openPage, takePicture } from "../support/browser.ts";
import { makeTempDir } from "../support/files.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { limitOrder, pinPrices, postJson, readiness, TRADING_ENV, Trader } from "../support/traders.ts";
import { waitFor } from "../support/waiting.ts";

/** Errors that a page may log while the server is away. */
const EXPECTED = [/WebSocket connection to/, /Failed to load resource/, /status 503/];

interface Wallet {
  readonly client: Client;
  /** In the page's own format. */
  readonly session: string;
}

/** A wallet with money, signed in as the page does it. */
async function openWallet(baseUrl: string): Promise<Wallet> {
  const account = privateKeyToAccount(generatePrivateKey());
  const { address } = account;
  await postJson(`${baseUrl}/api/v1/dev/faucet`, { address });
  const { message_template: message } = await postJson<NonceReply>(`${baseUrl}/api/v1/auth/nonce`, { address });
  const signature = await account.signMessage({ message });
  const reply = await postJson<TokenReply>(`${baseUrl}/api/v1/auth/login`, { message, signature });
  const { access_token, refresh_token, role } = reply;
  return {
    client: createClient({ baseUrl, accessToken: () => access_token }),
    session: JSON.stringify({ access_token, refresh_token, role, name: reply.address ?? address }),
  };
}

const tabOf = (page: Page, name: RegExp) =>
  page.getByRole("tablist", { name: "Your account" }).getByRole("tab", { name });
const tableOf = (page: Page, name: string) => page.getByRole("table", { name });
const sorted = (values: readonly string[]) => [...values].sort();

/** Ids of the orders in the page, one per row. */
async function shownOrders(page: Page): Promise<string[]> {
  const names = await tableOf(page, "Open orders")
    .getByRole("button", { name: /^Cancel order \d+$/ })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-label") ?? ""));
  return sorted(names.map((name) => name.replace("Cancel order ", "")));
}

async function openOrders({ account }: Client): Promise<string[]> {
  const { items: orders } = await account.openOrders();
  return sorted(orders.map(({ id }) => String(id)));
}

const exactFact = async (page: Page, name: string) =>
  page
    .locator("dl > div")
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator("[title]")
    .getAttribute("title");

/** Asserts that the page shows of the account what the interface returns, row by row. */
async function assertShownIsTrue(page: Page, client: Client): Promise<void> {
  await tabOf(page, /^Open orders/).click();
  await waitFor(async () => JSON.stringify(await shownOrders(page)) === JSON.stringify(await openOrders(client)), {
    what: "the open orders of the interface",
  });
  const account = await client.account.unified();
  await tabOf(page, /^Positions/).click();
  const size = account.positions[0]?.quantity ?? "none";
  await tableOf(page, "Positions").getByText(size.replace(/0+$/, ""), { exact: false }).first().waitFor();
  assert.equal(await tableOf(page, "Positions").locator("tbody tr").count(), account.positions.length);
  await tabOf(page, /^Balances/).click();
  await waitFor(async () => (await exactFact(page, "Principal")) === `${account.principal} USDT`, {
    what: `a principal of ${account.principal}`,
  });
  await tabOf(page, /^Trade history/).click();
  const { items: trades } = await client.account.trades();
  const rows = tableOf(page, "Trade history").locator("tbody tr");
  await waitFor(async () => (await rows.count()) === trades.length, { what: `${trades.length} trades` });
}

/** Asserts that the page shows the book of the exchange. */
async function assertBookIsTrue(page: Page, client: Client): Promise<void> {
  const { bids, asks } = await client.market.depth("BTCUSDT", { limit: 50 });
  const wanted = JSON.stringify([...bids, ...asks].map(([price, quantity]) => `${price} ${quantity}`).sort());
  const shown = async () => {
    const levels = await page
      .locator("[role=option][data-price]")
      .evaluateAll((rows) => rows.map((row) => [row.getAttribute("data-price"), row.textContent ?? ""] as const));
    return JSON.stringify(levels.map(([price, text]) => `${price} ${/, size ([\d.]+)/.exec(text)?.[1]}`).sort());
  };
  await waitFor(async () => (await shown()) === wanted, { what: `a book of ${wanted}` });
}

/** Restarts on the same folder and port, as an operator would. */
async function restart(t: TestContext, { dataDir, port, baseUrl }: RunningServer): Promise<RunningServer> {
  const env = { ...TRADING_ENV, PORT: String(port) };
  const again = await startServer({ owner: t, dataDir, env, waitReady: false });
  const isThere = async () => (await fetch(`${baseUrl}/healthz`).catch(() => undefined))?.ok === true;
  await waitFor(isThere, { what: "the server to be back", timeout_ms: 120_000 });
  await waitFor(async () => (await readiness(baseUrl)).status === 200, { what: "it to be ready", timeout_ms: 120_000 });
  return again;
}

it("the server is killed and started again under an open page: it reconnects and is right", async (t) => {
  const dataDir = await makeTempDir(t);
  const first = await startServer({ owner: t, dataDir, env: TRADING_ENV, timeout_ms: 120_000 });
  const { baseUrl } = first;
  await pinPrices(baseUrl);
  const maker = await Trader.open(baseUrl);
  const { client, session } = await openWallet(baseUrl);
  await maker.place(baseUrl, limitOrder({ side: "SELL", price: "60010", quantity: "0.5" }));
  await client.orders.place({ symbol: "BTCUSDT", side: "BUY", type: "MARKET", quantity: "0.01" });
  const limit = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", quantity: "0.02" } as const;
  await client.orders.place({ ...limit, price: "59000" });
  await client.orders.place({ ...limit, price: "58900" });

  const page = await openPage(t, { baseUrl, tolerates: EXPECTED });
  await page.addInitScript(`localStorage.setItem("bourse.session.wallet", ${JSON.stringify(session)})`);
  await page.goto("/app/trade/BTCUSDT");
  await tabOf(page, /^Open orders \(2\)/).waitFor();
  await tabOf(page, /^Positions \(1\)/).waitFor();
  await assertShownIsTrue(page, client);
  await assertBookIsTrue(page, client);

  await first.kill("SIGKILL");
  await page
    .getByText(/^Reconnecting\. This is as of/)
    .first()
    .waitFor();
  await page.getByText(/^Not live for/).waitFor();
  await page.getByRole("status", { name: "Market data has stopped; reconnecting" }).waitFor();
  await takePicture(page, "trade-reconnecting");

  await restart(t, first);
  // While the page reconnects: one order is filled, one is cancelled, one is placed, and the book changes twice.
  await pinPrices(baseUrl);
  const { items: orders } = await client.account.openOrders();
  await Promise.all([
    maker.place(baseUrl, limitOrder({ side: "SELL", price: "59000", quantity: "0.02" })),
    client.orders.cancel(orders.find(({ price }) => Number(price) === 58_900)?.id ?? 0),
    client.orders.place({ ...limit, price: "58800" }),
  ]);

  await page.getByRole("status", { name: "Market data is live" }).waitFor();
  await page.getByText(/^Not live for/).waitFor({ state: "hidden" });
  assert.equal(await page.getByText(/^Reconnecting\. This is as of/).count(), 0);
  await assertShownIsTrue(page, client);
  await assertBookIsTrue(page, client);

  // Updates continue from there.
  await client.orders.place({ ...limit, price: "58700" });
  await tabOf(page, /^Open orders \(2\)/).waitFor();
  await assertShownIsTrue(page, client);
  await takePicture(page, "trade-reconnected");
});
