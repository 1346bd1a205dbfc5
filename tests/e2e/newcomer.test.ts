import assert from "node:assert/strict";
import { after, it } from "node:test";
import type { FapiBookTicker } from "@bourse/api/client";
import type { Locator, Page } from "playwright-core";
import { expectNoSeriousViolations, noSidewaysScroll, openPage, takePicture } from "../support/browser.ts";
import type { Owner } from "../support/cleanup.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { waitFor } from "../support/waiting.ts";

/** The market maker starts after everything else of a start. */
const START_TIMEOUT_MS = 120_000;

/** One server with the demo's market maker for all tests of the file; each has its own wallet. */
let started: Promise<RunningServer> | undefined;
const cleanups: (() => Promise<void>)[] = [];
after(async () => {
  for (const cleanUp of cleanups) await cleanUp();
});
const owner: Owner = { after: (cleanUp) => cleanups.push(cleanUp) };
const serverWithMaker = (): Promise<RunningServer> => {
  started ??= startServer({ owner, timeout_ms: START_TIMEOUT_MS });
  return started;
};

const readBook = async (baseUrl: string): Promise<FapiBookTicker> => {
  const response = await fetch(`${baseUrl}/fapi/v1/ticker/bookTicker?symbol=BTCUSDT`);
  return (await response.json()) as FapiBookTicker;
};

/** The market maker needs a moment after the start. */
const bookOf = (baseUrl: string): Promise<FapiBookTicker> =>
  waitFor(
    async () => {
      const book = await readBook(baseUrl);
      return Number(book.bidPrice) > 0 && Number(book.askPrice) > 0 ? book : undefined;
    },
    { what: "both sides of the book" },
  );

/** Tick 0.1, which a JavaScript number represents well enough. */
const shifted = (price: string, factor: number): string => (Math.round(Number(price) * factor * 10) / 10).toFixed(1);

async function signInAsNew(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign in", exact: true }).first().click();
  await page.getByRole("button", { name: "Try it with a burner wallet" }).click();
  await page.getByText("Signed in").waitFor();
}

const ticketOf = (page: Page): Locator => page.getByRole("region", { name: "Order for BTCUSDT" });
const messagesOf = (page: Page): Locator => page.getByRole("region", { name: "Messages" });
const rowsOf = (page: Page, table: string): Locator => page.getByRole("table", { name: table }).locator("tbody tr");

/** Radio buttons are drawn as a row of labels: users press the label. */
const choose = (ticket: Locator, name: string): Promise<void> => ticket.getByText(name, { exact: true }).click();

/** Records every order that the page sends, without previews. */
function noteOrders(page: Page): readonly string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "POST" && /^\/api\/v1\/orders$|^\/fapi\/v1\/(algoO|o)rder$/.test(pathname)) {
      sent.push(request.postData() ?? "");
    }
  });
  return sent;
}

it("a newcomer makes a wallet with one press, buys at market, and sees fill, position and balance", async (t) => {
  const { baseUrl } = await serverWithMaker();
  await bookOf(baseUrl);
  const page = await openPage(t, { baseUrl });
  await page.goto("/");
  const ticket = ticketOf(page);
  await ticket.getByRole("button", { name: "Sign in to trade" }).click();
  await page.getByRole("button", { name: "Try it with a burner wallet" }).click();
  await ticket.getByText("10,000.00").waitFor();

  await choose(ticket, "Market");
  await ticket.getByLabel("Size", { exact: true }).fill("0.05");
  // The exchange's preview, before anything is sent.
  await ticket.getByText("Slippage", { exact: true }).waitFor();
  await ticket
    .locator("dl")
    .getByText(/^\d{3}\.\d\d/)
    .first()
    .waitFor();
  await ticket.getByRole("button", { name: "Buy 0.05 BTC at market" }).click();

  await messagesOf(page)
    .getByText(/^Bought 0\.05 BTC at \d\d,\d{3}\.\d/)
    .waitFor();
  const position = rowsOf(page, "Positions").first();
  await position.getByText("0.050", { exact: true }).waitFor();
  await position.getByText("10× cross").waitFor();
  await page.getByRole("tab", { name: "Positions (1)" }).waitFor();
  // The margin of the position is no longer free.
  await ticket.getByText(/^9,\d{3}\.\d\d/).waitFor();

  await page.getByRole("tab", { name: "Trade history" }).click();
  await rowsOf(page, "Trade history").first().getByText("Taker").waitFor();
  await page.getByRole("tab", { name: "Balances" }).click();
  await page.getByRole("progressbar", { name: /Margin ratio/ }).waitFor();
  await expectNoSeriousViolations(page);
  await page.getByRole("tab", { name: "Positions (1)" }).click();
  await takePicture(page, "trade-with-position");
  await expectNoSeriousViolations(page);

  // Closes it by the dialog that explains the effect.
  await page.getByRole("button", { name: "Close BTCUSDT" }).click();
  await page.getByRole("button", { name: "Sell 0.05 BTC at market" }).click();
  await messagesOf(page)
    .getByText(/^Sold 0\.05 BTC at/)
    .waitFor();
  await page.getByText("No open positions").waitFor();
});

it("a limit order rests, is changed in place and cancelled", async (t) => {
  const { baseUrl } = await serverWithMaker();
  const { bidPrice } = await bookOf(baseUrl);
  const page = await openPage(t, { baseUrl });
  await page.goto("/app/trade/BTCUSDT");
  await signInAsNew(page);
  const ticket = ticketOf(page);
  await ticket.getByLabel("Price", { exact: true }).fill(shifted(bidPrice, 0.98));
  await ticket.getByLabel("Size", { exact: true }).fill("0.02");
  await ticket.getByLabel("Time in force").selectOption("GTX");
  await ticket.getByLabel("Size", { exact: true }).press("Enter");
  await messagesOf(page)
    .getByText(/^Buy 0\.02 BTC rests at/)
    .waitFor();

  await page.getByRole("tab", { name: "Open orders (1)" }).click();
  const order = rowsOf(page, "Open orders").first();
  await order.getByText("post-only").waitFor();
  await order.getByText("0.020", { exact: true }).waitFor();

  await order.getByRole("button", { name: /^Edit order/ }).click();
  await order.getByLabel(/^Size of order/).fill("0.03");
  await order.getByLabel(/^Size of order/).press("Enter");
  await order.getByText("0.030", { exact: true }).waitFor();
  await messagesOf(page)
    .getByText(/^Order moved to 0\.03 BTC/)
    .waitFor();

  await order.getByRole("button", { name: /^Cancel order/ }).click();
  await page.getByText("No open orders").waitFor();
  await page.getByRole("tab", { name: "Order history" }).click();
  await rowsOf(page, "Order history").first().getByText("Cancelled", { exact: true }).waitFor();
});

it("bad input is answered in words beside its field, and nothing is sent", async (t) => {
  const { baseUrl } = await serverWithMaker();
  const { askPrice } = await bookOf(baseUrl);
  // The exchange refuses with 400, which browsers log.
  const page = await openPage(t, { baseUrl, tolerates: [/status of 400/] });
  await page.goto("/app/trade/BTCUSDT");
  await signInAsNew(page);
  const sent = noteOrders(page);
  const ticket = ticketOf(page);
  const price = ticket.getByLabel("Price", { exact: true });
  const size = ticket.getByLabel("Size", { exact: true });

  await price.fill("60000.15");
  await size.fill("abc");
  await size.press("Enter");
  await ticket.getByText("Prices move in steps of 0.1: take 60,000.1 or 60,000.2.").waitFor();
  await ticket.getByText("Enter the size as a number above 0.").waitFor();
  assert.equal(await price.getAttribute("aria-invalid"), "true");
  await price.fill("999999");
  await ticket.getByText(/^Too far above the mark/).waitFor();
  await size.fill("0.0001");
  await ticket.getByText("Below one lot: enter 0.001 BTC or more.").waitFor();
  await size.press("Enter");
  assert.deepEqual(sent, []);

  // A refusal that only the exchange can determine is shown at the field it concerns, before and after sending.
  await price.fill(shifted(askPrice, 1.01));
  await size.fill("0.01");
  await ticket.getByLabel("Time in force").selectOption("GTX");
  await ticket.getByText(/^Would be rejected: post-only order would have matched at/).waitFor();
  await size.press("Enter");
  await ticket
    .getByText(/^Rejected: post-only order would have matched at .* Lower the price or drop post-only\.$/)
    .waitFor();
  assert.equal(sent.length, 1);
  assert.equal(
    await messagesOf(page)
      .getByText(/rests at/)
      .count(),
    0,
  );
});

it("by keyboard alone: b, a price, a size, Enter", async (t) => {
  const { baseUrl } = await serverWithMaker();
  const { askPrice } = await bookOf(baseUrl);
  const page = await openPage(t, { baseUrl });
  await page.goto("/app/trade/BTCUSDT");
  await signInAsNew(page);
  const ticket = ticketOf(page);
  const size = ticket.getByLabel("Size", { exact: true });
  // The price is prefilled, so the size is missing.
  await waitFor(async () => (await ticket.getByLabel("Price", { exact: true }).inputValue()) !== "", {
    what: "a price",
  });

  for (const [key, side] of [
    ["s", "Sell / Short"],
    ["b", "Buy / Long"],
  ] as const) {
    await page.keyboard.press(key);
    await waitFor(() => ticket.getByLabel(side).isChecked(), { what: side });
    await ticket.locator("input[placeholder='0']:focus").waitFor();
    // Leaves the field, because shortcuts do not work in fields.
    if (key === "s") await page.keyboard.press("Escape");
  }
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(shifted(askPrice, 1.01));
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("0.01");
  await page.keyboard.press("Enter");
  await messagesOf(page)
    .getByText(/^Bought 0\.01 BTC at/)
    .waitFor();
  // The focus is on the next size, and a second Enter sends nothing.
  assert.equal(await size.inputValue(), "");
  await ticket.locator("input[placeholder='0']:focus").waitFor();
});

it("on a phone: sign in, buy, see the position", async (t) => {
  const { baseUrl } = await serverWithMaker();
  await bookOf(baseUrl);
  const page = await openPage(t, { baseUrl, on: "phone" });
  await page.goto("/app/trade/BTCUSDT");
  await signInAsNew(page);
  const parts = page.getByRole("navigation", { name: "Parts of the trade page" });
  await parts.getByRole("button", { name: "Order" }).click();
  const ticket = ticketOf(page);
  await choose(ticket, "Market");
  await ticket.getByLabel("Size", { exact: true }).fill("0.02");
  await noSidewaysScroll(page);
  await ticket.getByRole("button", { name: "Buy 0.02 BTC at market" }).click();
  await messagesOf(page)
    .getByText(/^Bought 0\.02 BTC at/)
    .waitFor();
  await takePicture(page, "ticket-on-a-phone");
  await parts.getByRole("button", { name: "Positions" }).click();
  await page
    .getByRole("list", { name: "Positions" })
    .getByRole("listitem")
    .getByText("0.020", { exact: true })
    .waitFor();
  await noSidewaysScroll(page);
  await expectNoSeriousViolations(page);
  await takePicture(page, "positions-on-a-phone");
});
