import assert from "node:assert/strict";
import { before, describe, it, type TestContext } from "node:test";
import type { ProductDetail } from "@bourse/api/client";
import type { Locator, Page } from "playwright-core";
import { noSidewaysScroll, openPage, takePicture } from "../support/browser.ts";
import {
  adminClient,
  expectAccessibleInBothThemes,
  ownerOfSuite,
  startQuietServer,
  startWithBurner,
} from "../support/visitors.ts";

const MINUTE_ms = 60_000;
const HOUR_s = 3_600;
/** A moved clock expires the token of the open page, which then gets another. */
const TOLERATED = [/status of 401/];

const dialogOf = (page: Page): Locator => page.getByRole("dialog");
const cardOf = (page: Page, name: string): Locator => page.getByRole("article", { name });
const stepsOf = (page: Page): Locator => page.getByRole("list", { name: "Steps of the subscription" });

describe("earn in the browser", () => {
  const owner = ownerOfSuite();
  let baseUrl: string;
  const open = (t: TestContext, on: "desktop" | "phone" = "desktop") =>
    openPage(t, { baseUrl, on, tolerates: TOLERATED, context: { colorScheme: "dark" } });

  before(async () => {
    ({ baseUrl } = await startQuietServer(owner));
  });

  /** Two hours to subscribe, then an hour at 1000 % a year, for at most 5,000 USDT each. */
  async function makeProduct(name: string): Promise<ProductDetail> {
    const admin = await adminClient(baseUrl);
    const { serverTime } = await admin.market.serverTime();
    const product = await admin.earnAdmin.createProduct({
      name,
      annual_rate_bps: 100_000,
      duration_seconds: HOUR_s,
      total_quota: "1000000000000",
      min_amount: "10000000",
      max_amount_per_user: "5000000000",
      subscribe_start_time: new Date(serverTime).toISOString(),
      subscribe_end_time: new Date(serverTime + 120 * MINUTE_ms).toISOString(),
    });
    await admin.dev.runJob("chain-sync");
    return product;
  }

  async function subscribe(page: Page, name: string, amount: string): Promise<void> {
    await cardOf(page, name).getByRole("button", { name: "Subscribe" }).click();
    await dialogOf(page).getByLabel("Amount in USDT").fill(amount);
    await dialogOf(page)
      .getByRole("button", { name: /^Subscribe [\d,.]+ USDT$/ })
      .click();
    await dialogOf(page).getByRole("button", { name: "Show my positions" }).waitFor();
  }

  it("ERN-3: what is above the maximum or below the minimum is refused in words, at the field", async (t) => {
    await makeProduct("USDT, bounded");
    const page = await open(t);
    await page.goto("/app/earn");
    await startWithBurner(page);
    await cardOf(page, "USDT, bounded").getByRole("button", { name: "Subscribe" }).click();
    const field = dialogOf(page).getByLabel("Amount in USDT");
    for (const [amount, words] of [
      ["5000.000001", "The maximum for one user is 5,000.00 USDT."],
      ["9.99", "The minimum is 10.00 USDT."],
      ["0.0000001", "USDT has at most 6 decimals."],
    ] as const) {
      await field.fill(amount);
      await dialogOf(page).getByText(words).waitFor();
      assert.ok(await dialogOf(page).getByRole("button", { name: "Subscribe", exact: true }).isDisabled());
    }
    await dialogOf(page).getByRole("button", { name: "Max" }).click();
    assert.equal(await field.inputValue(), "5000");
    await expectAccessibleInBothThemes(page);
  });

  it("interface 4.3: a newcomer subscribes in visible steps, waits, and claims", async (t) => {
    const product = await makeProduct("USDT one hour");
    const page = await open(t);
    await page.goto("/app/earn");
    await startWithBurner(page);
    const card = cardOf(page, "USDT one hour");
    await card.getByText("1000.00").waitFor();
    await card.getByText(/all interest are in the contract/).waitFor();
    await card.getByRole("button", { name: "Subscribe" }).click();
    await dialogOf(page).getByLabel("Amount in USDT").fill("1000");
    // 1,000 × 10 × 3,600 / 31,536,000, rounded down, before anything is signed.
    await dialogOf(page).getByText("1.141552 USDT", { exact: true }).waitFor();
    await dialogOf(page).getByRole("button", { name: "Subscribe 1,000.00 USDT" }).click();
    await dialogOf(page).getByRole("button", { name: "Show my positions" }).waitFor();
    assert.deepEqual(await stepsOf(page).getByText("done").count(), 4);
    assert.equal(await stepsOf(page).getByRole("button", { name: "Copy transaction hash" }).count(), 2);
    await takePicture(page, "earn-steps");
    await expectAccessibleInBothThemes(page);
    await dialogOf(page).getByRole("button", { name: "Show my positions" }).click();

    const position = page.getByRole("table", { name: "My positions" }).getByRole("row").last();
    await position.getByText("Earning").waitFor();
    await position.getByText("1.141552").click();
    await dialogOf(page).getByText("Interest = principal × annual rate × term ÷ one year").waitFor();
    await page.keyboard.press("Escape");
    await expectAccessibleInBothThemes(page);

    // A second subscription adds to the first, and starts with an allowance that is used up.
    await subscribe(page, "USDT one hour", "250.5");
    await stepsOf(page).getByText("Your position is 1,250.50 USDT now").waitFor();
    await dialogOf(page).getByRole("button", { name: "Show my positions" }).click();

    await (await adminClient(baseUrl)).dev.moveClock({ advance_ms: 181 * MINUTE_ms });
    await page.reload();
    await cardOf(page, "USDT one hour").getByText("Payout delayed").waitFor();
    const admin = await adminClient(baseUrl);
    const { interest_owed } = await admin.earn.solvency(product.id);
    await admin.earnAdmin.fundProduct(product.id, { amount: interest_owed });
    await admin.dev.runJob("chain-sync");
    await page.reload();
    await position.getByText("Ready to claim").waitFor();
    await position.getByRole("button", { name: "Claim 1,251.92 USDT" }).click();
    await dialogOf(page).getByRole("button", { name: "Done" }).click();
    await position.getByText("Redeemed").waitFor();
    const { status } = await admin.earn.product(product.id);
    assert.ok(status === "settled" || status === "ended", status);
    await takePicture(page, "earn-redeemed");
  });

  it("interface 3.4: on a phone, what was cancelled is taken back", async (t) => {
    const product = await makeProduct("USDT, called off");
    const page = await open(t, "phone");
    await page.goto("/app/earn");
    await startWithBurner(page);
    await subscribe(page, "USDT, called off", "100.25");
    await noSidewaysScroll(page);
    await dialogOf(page).getByRole("button", { name: "Show my positions" }).click();
    await (await adminClient(baseUrl)).earnAdmin.cancelProduct(product.id, { reason: "called off" });
    await page.reload();
    const position = page.getByRole("list", { name: "My positions" }).getByRole("listitem").first();
    await position.getByText("Cancelled: take it back").waitFor();
    await noSidewaysScroll(page);
    await expectAccessibleInBothThemes(page);
    await takePicture(page, "earn-phone");
    await position.getByRole("button", { name: "Take back 100.25 USDT" }).click();
    await dialogOf(page).getByRole("button", { name: "Done" }).click();
    await position.getByText("Refunded").waitFor();

    await position.getByRole("link", { name: "USDT, called off" }).click();
    await page.getByRole("heading", { level: 1, name: "USDT, called off" }).waitFor();
    await page.getByRole("region", { name: "Promised and held" }).getByText("Tokens held").waitFor();
    await noSidewaysScroll(page);
    await expectAccessibleInBothThemes(page);
  });
});
