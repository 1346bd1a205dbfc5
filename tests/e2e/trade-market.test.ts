import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { expectNoSeriousViolations, noSidewaysScroll, openPage, takePicture } from "../support/browser.ts";
import { quickDatabase } from "../support/databases.ts";
import { startServer } from "../support/server.ts";
import { ownerOfSuite } from "../support/visitors.ts";
import { waitFor } from "../support/waiting.ts";

const sideOf = (page: Page, name: "Asks" | "Bids"): Locator => page.getByRole("listbox", { name });
const levelsOf = (page: Page, name: "Asks" | "Bids"): Locator => sideOf(page, name).getByRole("option");
const groupingOf = (page: Page): Locator => page.getByLabel("Group prices by");
const formOf = (page: Page, symbol = "BTCUSDT"): Locator => page.getByRole("region", { name: `Order for ${symbol}` });
const priceFieldOf = (page: Page): Locator => formOf(page).getByLabel("Price", { exact: true });

async function openMarket(page: Page, symbol = "BTCUSDT"): Promise<void> {
  await page.goto(`/app/trade/${symbol}`);
  await levelsOf(page, "Asks").first().waitFor();
  await levelsOf(page, "Bids").first().waitFor();
}

const priceOf = async (level: Locator): Promise<string> => (await level.getAttribute("data-price")) ?? "";

const prefer = (page: Page, theme: "dark" | "light") =>
  page.addInitScript(`localStorage.setItem("bourse.appearance", '{"theme":"${theme}","colors":"green-up"}')`);

describe("the market side of the trade page", () => {
  const owner = ownerOfSuite();
  let baseUrl: string;
  before(async () => {
    // With the market maker, without history.
    const env = { DEMO: "true", ...(await quickDatabase(owner)) };
    ({ baseUrl } = await startServer({ owner, env, timeout_ms: 120_000 }));
  });

  it("candles are drawn by a library that is asked for after the first paint", async (t) => {
    const page = await openPage(t, { baseUrl });
    await openMarket(page);
    const chart = page.getByRole("figure", { name: "Candles of BTCUSDT, 1m" });
    await chart.locator("canvas").first().waitFor();
    await chart.getByText(/^O [\d,.]+\s+H [\d,.]+\s+L [\d,.]+\s+C [\d,.]+\s+V/).waitFor();
    const times = await page.evaluate<{ chart: number; paint: number }>(`({
      chart: performance.getEntriesByType("resource").find(({ name }) => /candle-chart.*js$/.test(name)).startTime,
      paint: performance.getEntriesByName("first-paint")[0].startTime,
    })`);
    assert.ok(times.chart > times.paint, `chart at ${times.chart} ms, first paint at ${times.paint} ms`);
    await page.getByRole("radio", { name: "5m", exact: true }).check({ force: true });
    await page
      .getByRole("figure", { name: "Candles of BTCUSDT, 5m" })
      .getByText(/^O [\d,.]+/)
      .waitFor();
    // The library's licence requires it.
    await page.getByRole("link", { name: /TradingView/ }).waitFor();
    await takePicture(page, "trade-market");
  });

  it("the book has two sides and moves; trades come in, newest first", async (t) => {
    const page = await openPage(t, { baseUrl });
    await openMarket(page);
    const look = async () =>
      (await levelsOf(page, "Asks").allInnerTexts()).join() + (await levelsOf(page, "Bids").allInnerTexts()).join();
    const first = await look();
    await waitFor(async () => (await look()) !== first, { what: "the book to move" });
    assert.ok(
      Number(await priceOf(levelsOf(page, "Asks").first())) > Number(await priceOf(levelsOf(page, "Bids").first())),
    );
    await page.getByRole("tab", { name: "Trades" }).click();
    const times = page.getByRole("list", { name: "Latest trades" }).getByRole("time");
    await times.first().waitFor();
    const shown = await times.evaluateAll((all) => all.map((each) => each.getAttribute("datetime") ?? ""));
    assert.deepEqual(shown, [...shown].sort().reverse());
  });

  it("levels are put together, and a level's price goes into the form by click and by key", async (t) => {
    const page = await openPage(t, { baseUrl });
    await openMarket(page);
    await groupingOf(page).selectOption("100");
    const bids = levelsOf(page, "Bids");
    await waitFor(async () => /00$/.test(await priceOf(bids.first())), { what: "prices by the hundred" });
    const best = bids.first();
    await best.click();
    const clicked = await priceOf(best);
    await waitFor(async () => (await priceFieldOf(page).inputValue()) === clicked, { what: "the price in the form" });

    // Up over the spread to the best ask.
    await sideOf(page, "Bids").press("ArrowUp");
    const ask = page.locator("[role=option][aria-selected=true]");
    await ask.waitFor();
    const chosen = await priceOf(ask);
    assert.ok(Number(chosen) > Number(clicked), `${chosen} is an ask`);
    await page.keyboard.press("Enter");
    await waitFor(async () => (await priceFieldOf(page).inputValue()) === chosen, {
      what: "the other price in the form",
    });

    await page.reload();
    await levelsOf(page, "Bids").first().waitFor();
    assert.equal(await groupingOf(page).inputValue(), "100", "the choice is remembered");
  });

  it("keys find markets, the form's sides and their own list", async (t) => {
    const page = await openPage(t, { baseUrl });
    await openMarket(page);
    await page.keyboard.press("/");
    const search = page.getByRole("combobox", { name: "Search markets" });
    await search.fill("doge");
    await page.getByText("No market has that name").waitFor();
    await search.fill("eth");
    await page.getByRole("option", { name: /ETHUSDT/ }).waitFor();
    await search.press("Enter");
    await page.waitForURL(/\/app\/trade\/ETHUSDT$/);
    await levelsOf(page, "Asks").first().waitFor();
    await page
      .getByRole("figure", { name: "Candles of ETHUSDT, 1m" })
      .getByText(/^O [\d,.]+/)
      .waitFor();
    await waitFor(async () => /^[\d,.]+ ETHUSDT/.test(await page.title()), { what: "the price in the title" });

    await page.keyboard.press("s");
    await formOf(page, "ETHUSDT").locator(":focus").waitFor();
    assert.ok(await formOf(page, "ETHUSDT").getByRole("radio", { name: /Sell/ }).isChecked());
    // In a field a letter is text, not a shortcut.
    await page.keyboard.press("b");
    assert.ok(await formOf(page, "ETHUSDT").getByRole("radio", { name: /Sell/ }).isChecked());
    await sideOf(page, "Bids").focus();
    await page.keyboard.press("b");
    await waitFor(() => formOf(page, "ETHUSDT").getByRole("radio", { name: /Buy/ }).isChecked(), {
      what: "the other side",
    });

    await sideOf(page, "Bids").focus();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor({ state: "hidden" });

    await page.goto("/app/");
    await page.waitForURL(/\/app\/trade\/ETHUSDT$/, { waitUntil: "commit" });
  });

  it("panels keep the sizes that they were given", async (t) => {
    const page = await openPage(t, { baseUrl });
    await openMarket(page);
    const line = page.getByRole("separator", { name: "Width of the order book" });
    const widthOf = async () =>
      Math.round((await page.getByRole("region", { name: "Order book" }).boundingBox())?.width ?? 0);
    const before = await widthOf();
    await line.focus();
    for (let press = 0; press < 3; press += 1) await line.press("ArrowLeft");
    await waitFor(async () => (await widthOf()) > before, { what: "a wider book" });
    const wider = await widthOf();
    await page.reload();
    await levelsOf(page, "Bids").first().waitFor();
    await waitFor(async () => Math.abs((await widthOf()) - wider) <= 1, { what: "the same width after a reload" });
  });

  it("a market that does not exist is said to be unknown, with the way to those that do", async (t) => {
    const page = await openPage(t, { baseUrl });
    await page.goto("/app/trade/dogeusdt");
    await page.getByText("There is no market called DOGEUSDT").waitFor();
    await page.getByRole("button", { name: "SOLUSDT" }).click();
    await page.waitForURL(/\/app\/trade\/SOLUSDT$/);
    await levelsOf(page, "Asks").first().waitFor();
  });

  it("nothing scrolls on a desk, however small", async (t) => {
    const page = await openPage(t, { baseUrl });
    await openMarket(page);
    for (const [width, height] of [
      [1440, 900],
      [1280, 720],
      [1024, 768],
    ] as const) {
      await page.setViewportSize({ width, height });
      await levelsOf(page, "Bids").first().waitFor();
      await noSidewaysScroll(page);
      const overflow = await page.evaluate(
        "document.documentElement.scrollHeight - document.documentElement.clientHeight",
      );
      assert.equal(overflow, 0, `${width}×${height} scrolls`);
    }
  });

  it("no serious violation in dark or light", async (t) => {
    for (const theme of ["dark", "light"] as const) {
      const page = await openPage(t, { baseUrl });
      await prefer(page, theme);
      await openMarket(page);
      await page
        .getByRole("figure")
        .getByText(/^O [\d,.]+/)
        .waitFor();
      await expectNoSeriousViolations(page);
      await takePicture(page, `trade-${theme}`);
    }
  });

  it("on a phone it is one thing at a time, with the form one thumb away", async (t) => {
    const page = await openPage(t, { baseUrl, on: "phone" });
    await page.goto("/app/trade/BTCUSDT");
    await page
      .getByRole("figure", { name: /^Candles of BTCUSDT/ })
      .locator("canvas")
      .first()
      .waitFor();
    await noSidewaysScroll(page);
    await expectNoSeriousViolations(page);
    await takePicture(page, "trade-phone-chart");
    const parts = page.getByRole("navigation", { name: "Parts of the trade page" });
    await parts.getByRole("button", { name: "Book" }).click();
    await levelsOf(page, "Bids").first().waitFor();
    await noSidewaysScroll(page);
    await takePicture(page, "trade-phone-book");
    await groupingOf(page).selectOption("100");
    const best = levelsOf(page, "Bids").first();
    await waitFor(async () => /00$/.test(await priceOf(best)), { what: "prices by the hundred" });
    const price = await priceOf(best);
    await best.tap();
    await formOf(page).waitFor();
    assert.equal(await priceFieldOf(page).inputValue(), price, "the form came into view with the price");
    await noSidewaysScroll(page);
    await takePicture(page, "trade-phone-form");
    await parts.getByRole("button", { name: "Positions" }).click();
    await page.getByRole("button", { name: "Sell", exact: true }).tap();
    await formOf(page).getByRole("radio", { name: /Sell/ }).waitFor({ state: "attached" });
    assert.ok(await formOf(page).getByRole("radio", { name: /Sell/ }).isChecked());
    await expectNoSeriousViolations(page);
  });
});
