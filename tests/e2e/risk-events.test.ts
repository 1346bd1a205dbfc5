import assert from "node:assert/strict";
import { it } from "node:test";
import { expectNoSeriousViolations, noSidewaysScroll, openPage, takePicture } from "../support/browser.ts";
import { startServer } from "../support/server.ts";
import { pinPrices, postJson, TRADING_ENV, Trader } from "../support/traders.ts";

const START_TIMEOUT_MS = 120_000;

it("FUT-24: the trade page tells everybody of a liquidation, by the number of its account, on a desk and on a phone", async (t) => {
  const { baseUrl } = await startServer({ owner: t, env: TRADING_ENV, timeout_ms: START_TIMEOUT_MS });
  await pinPrices(baseUrl);
  const maker = await Trader.open(baseUrl);
  const trader = await Trader.open(baseUrl, "1000");
  await trader.call(baseUrl, "POST", "/fapi/v1/leverage", { symbol: "BTCUSDT", leverage: "50" });
  await maker.place(baseUrl, { side: "SELL", quantity: "0.5" });
  await trader.place(baseUrl, { side: "BUY", quantity: "0.5" });

  // Nobody is signed in: the record is public.
  const page = await openPage(t, { baseUrl });
  await page.goto("/app/trade/BTCUSDT");
  // The keyboard alone leads there.
  const tab = page.getByRole("tab", { name: "Risk events" });
  await page.getByRole("tab", { name: "Trades" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByText("No risk events yet").waitFor();
  assert.equal(await tab.getAttribute("aria-selected"), "true");

  await maker.place(baseUrl, { side: "BUY", price: "58100", quantity: "0.1" });
  await postJson(`${baseUrl}/api/v1/dev/price`, { symbol: "BTCUSDT", price: "58100" });
  const events = page.getByRole("list", { name: "Latest risk events" }).getByRole("listitem");
  const liquidated = events.filter({ hasText: /Account \d+: long liquidated/ }).first();
  await liquidated.waitFor();
  await liquidated.getByText(/BTC at 58,\d{3}\.\d/).waitFor();
  await liquidated.getByText(/mark 58,\d{3}\.\d \(.*%\)/).waitFor();
  await takePicture(page, "risk-events");
  await expectNoSeriousViolations(page);

  const phone = await openPage(t, { baseUrl, on: "phone" });
  await phone.goto("/app/trade/BTCUSDT");
  await phone.getByRole("button", { name: "Book", exact: true }).click();
  await phone.getByRole("tab", { name: "Risk events" }).click();
  await phone
    .getByText(/Account \d+: long liquidated/)
    .first()
    .waitFor();
  await noSidewaysScroll(phone);
  await takePicture(phone, "risk-events-phone");
});
