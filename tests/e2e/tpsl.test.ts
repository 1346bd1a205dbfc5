import assert from "node:assert/strict";
import { it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { expectNoSeriousViolations, openPage, takePicture } from "../support/browser.ts";
import type { RunningServer } from "../support/server.ts";
import { pinPrices, postJson, Trader } from "../support/traders.ts";
import { ownerOfSuite, startQuietServer } from "../support/visitors.ts";

/** A market without other activity than the test's: pinned at 60,000, with one trader on the other side. */
let started: Promise<{ readonly server: RunningServer; readonly other: Trader }> | undefined;

const owner = ownerOfSuite();

async function startMarket() {
  const server = await startQuietServer(owner);
  const { baseUrl } = server;
  await pinPrices(baseUrl);
  const other = await Trader.open(baseUrl);
  // A book with two sides, too far away to match.
  await other.place(baseUrl, { side: "BUY", price: "57500" });
  await other.place(baseUrl, { side: "SELL", price: "62500" });
  return { server, other };
}

const quietMarket = () => {
  started ??= startMarket();
  return started;
};

const pin = (baseUrl: string, price: string) => postJson(`${baseUrl}/api/v1/dev/price`, { symbol: "BTCUSDT", price });

const ticketOf = (page: Page): Locator => page.getByRole("region", { name: "Order for BTCUSDT" });
const messagesOf = (page: Page): Locator => page.getByRole("region", { name: "Messages" });
const rowsOf = (page: Page, table: string): Locator => page.getByRole("table", { name: table }).locator("tbody tr");

async function openAsNewcomer(page: Page): Promise<Locator> {
  await page.goto("/app/trade/BTCUSDT");
  await page.getByRole("button", { name: "Sign in", exact: true }).first().click();
  await page.getByRole("button", { name: "Try it with a burner wallet" }).click();
  const ticket = ticketOf(page);
  await ticket.getByText("10,000.00").waitFor();
  return ticket;
}

it("FUT-8: of an attached take profit and stop loss one fires, and the other goes", async (t) => {
  const { server, other } = await quietMarket();
  const { baseUrl } = server;
  await pin(baseUrl, "60000");
  await other.place(baseUrl, { side: "SELL", price: "60000", quantity: "0.1" });
  const page = await openPage(t, { baseUrl });
  const ticket = await openAsNewcomer(page);

  await ticket.getByText("Market", { exact: true }).click();
  await ticket.getByLabel("Size", { exact: true }).fill("0.1");
  await ticket.getByLabel("Take profit / stop loss").check();
  await ticket.getByLabel("Take profit", { exact: true }).fill("61000");
  await ticket.getByLabel("Stop loss by").selectOption("pnl");
  await ticket.getByLabel("Stop loss", { exact: true }).fill("150");
  await ticket.getByText("at 61,000.0 · +100.00 USDT").waitFor();
  await ticket.getByText("at 58,500.0 · −150.00 USDT").waitFor();
  await ticket.getByRole("button", { name: "Buy 0.1 BTC at market" }).click();

  await messagesOf(page).getByText("Bought 0.1 BTC at 60,000.0").waitFor();
  const position = rowsOf(page, "Positions").first();
  await position.getByText(/TP 61,000\.0/).waitFor();
  await position.getByText(/SL 58,500\.0/).waitFor();
  await page.getByRole("tab", { name: "Conditional (2)" }).click();
  await rowsOf(page, "Conditional orders").first().getByText("Waits for its price").waitFor();
  await takePicture(page, "trade-with-triggers");
  await expectNoSeriousViolations(page);

  // First a buyer at that price, then the price itself.
  await other.place(baseUrl, { side: "BUY", price: "61000", quantity: "0.1" });
  await pin(baseUrl, "61000");
  await messagesOf(page).getByText("Take profit market BTC: triggered at 61,000.0").waitFor();
  await messagesOf(page).getByText("Sold 0.1 BTC at 61,000.0").waitFor();
  await messagesOf(page)
    .getByText(/realised \+100\.00 USDT/)
    .waitFor();
  await page.getByText("No conditional orders").waitFor();
  await page.getByRole("tab", { name: "Positions", exact: true }).click();
  await page.getByText("No open positions").waitFor();

  await page.getByRole("tab", { name: "Order history" }).click();
  const ended = rowsOf(page, "Order history").filter({ hasText: "Take profit market" });
  await ended.getByText("Filled", { exact: true }).waitFor();
  await page.getByRole("tab", { name: "Trade history" }).click();
  await rowsOf(page, "Trade history").first().getByText("+100.00").waitFor();
});

it("triggers of a position are added, moved, and one of them closes it", async (t) => {
  const { server, other } = await quietMarket();
  const { baseUrl } = server;
  await pin(baseUrl, "60000");
  await other.place(baseUrl, { side: "BUY", price: "60000", quantity: "0.2" });
  const page = await openPage(t, { baseUrl });
  const ticket = await openAsNewcomer(page);
  await ticket.getByText("Sell / Short", { exact: true }).click();
  await ticket.getByText("Market", { exact: true }).click();
  await ticket.getByLabel("Size", { exact: true }).fill("0.2");
  await ticket.getByRole("button", { name: "Sell 0.2 BTC at market" }).click();
  await messagesOf(page).getByText("Sold 0.2 BTC at 60,000.0").waitFor();

  await page.getByRole("button", { name: /take profit and stop loss of BTCUSDT$/ }).click();
  const dialog = page.getByRole("dialog");
  // A short's stop loss is above the price: below it would fire at once.
  await dialog.getByLabel("Stop loss at").fill("59000");
  await dialog.getByText(/^Would trigger at once: raise it above/).waitFor();
  await dialog.getByLabel("Stop loss at").fill("60500");
  await dialog.getByLabel("Take profit at").fill("59000");
  await dialog.getByText("+200.00 USDT before fees").waitFor();
  await expectNoSeriousViolations(page);
  await dialog.getByRole("button", { name: /^Set take profit at 59000 and stop loss at 60500$/ }).click();
  await dialog.waitFor({ state: "detached" });
  const position = rowsOf(page, "Positions").first();
  await position.getByText(/SL 60,500\.0 · TP 59,000\.0/).waitFor();

  await page.getByRole("button", { name: /take profit and stop loss of BTCUSDT$/ }).click();
  await dialog.getByRole("button", { name: "Move Stop market 60,500.0" }).click();
  await dialog.getByLabel("Stop market: new trigger").fill("60400");
  await dialog.getByRole("button", { name: "Move it" }).click();
  await dialog.getByText("60,400").waitFor();
  await dialog.getByRole("button", { name: "Cancel Take profit market 59,000.0" }).click();
  await dialog.getByRole("listitem").nth(1).waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await position.getByText(/^SL 60,400/).waitFor();

  // FUT-13: the mark price is a median of three. With the index above and the last price at the trigger it reaches the
  // trigger.
  const third = await Trader.open(baseUrl);
  await other.place(baseUrl, { side: "SELL", price: "60400", quantity: "0.202" });
  await third.place(baseUrl, { side: "BUY", price: "60400", quantity: "0.002" });
  await pin(baseUrl, "61000");
  await messagesOf(page).getByText("Bought 0.2 BTC at 60,400.0").waitFor();
  await page.getByText("No open positions").waitFor();
  await page.getByRole("tab", { name: "Conditional", exact: true }).click();
  await page.getByText("No conditional orders").waitFor();
  assert.equal(await rowsOf(page, "Conditional orders").count(), 0);
});
