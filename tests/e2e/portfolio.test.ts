import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { before, describe, it, type TestContext } from "node:test";
import { createClient } from "@bourse/api/client";
import type { Locator, Page } from "playwright-core";
import { noSidewaysScroll, openPage, takePicture } from "../support/browser.ts";
import {
  adminClient,
  expectAccessibleInBothThemes,
  ownerOfSuite,
  startQuietServer,
  startWithBurner,
} from "../support/visitors.ts";

const OPERATOR = `0x${"11".repeat(20)}`;
const TABS = ["Overview", "Funds", "Fee tier", "Income", "Bonus", "API keys"] as const;

const dialogOf = (page: Page): Locator => page.getByRole("dialog");
const rowOf = (page: Page, text: string | RegExp): Locator => page.getByRole("row").filter({ hasText: text });

async function goTo(page: Page, tab: (typeof TABS)[number]): Promise<void> {
  await page.getByRole("navigation", { name: "Portfolio" }).getByRole("link", { name: tab, exact: true }).click();
}

describe("the portfolio in the browser", () => {
  const owner = ownerOfSuite();
  let baseUrl: string;
  const open = (t: TestContext, tolerates: readonly RegExp[] = [], on: "desktop" | "phone" = "desktop") =>
    openPage(t, { baseUrl, on, tolerates, context: { colorScheme: "dark" } });

  before(async () => {
    ({ baseUrl } = await startQuietServer(owner));
  });

  async function withdraw(page: Page, amount: string): Promise<void> {
    await page.getByLabel("Withdrawal amount in USDT").fill(amount);
    await page
      .getByRole("region", { name: "Withdraw" })
      .getByRole("button", { name: /^Withdraw [\d,.]+ USDT$/ })
      .click();
    await dialogOf(page)
      .getByRole("button", { name: /^Withdraw [\d,.]+ USDT to 0x/ })
      .click();
  }

  it("VLT-1: a deposit in visible steps, credited; a withdrawal requested, paid", async (t) => {
    const page = await open(t);
    await page.goto("/app/portfolio/funds");
    await startWithBurner(page);
    await page.getByText("In your wallet: 10,000.00 USDT").waitFor();
    await page.getByLabel("Deposit amount in USDT").fill("10000.000001");
    await page.getByText("Your wallet holds 10,000.00 USDT. Lower the amount.").waitFor();
    await page.getByLabel("Deposit amount in USDT").fill("250.123456");
    await page.getByRole("button", { name: "Deposit 250.123456 USDT" }).click();
    const steps = page.getByRole("list", { name: "Steps of the deposit" });
    await steps.getByText("250.123456 USDT are in your account").waitFor();
    assert.equal(await steps.getByText("done").count(), 3);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("In your wallet: 9,749.876544 USDT").waitFor();
    await rowOf(page, "+250.12").getByText("Credited").waitFor();
    await rowOf(page, "+250.12").getByRole("button", { name: "Copy transaction hash" }).waitFor();

    await page.getByLabel("Withdrawal amount in USDT").fill("10250.123457");
    await page.getByText("At most 10,250.123456 USDT can leave now.").waitFor();
    await withdraw(page, "100.5");
    await dialogOf(page).waitFor({ state: "detached" });
    await rowOf(page, "−100.50").getByText("Paid").waitFor();
    await rowOf(page, "−100.50").getByRole("button", { name: "Copy transaction hash" }).waitFor();
    await page.getByText("In your wallet: 9,850.376544 USDT").waitFor();
    await takePicture(page, "portfolio-funds");
    await goTo(page, "Overview");
    await page.getByText("10,149.62").first().waitFor();
    await page.getByText(/Profit and loss since the account began/).waitFor();
  });

  it("VLT-1: while withdrawals are paused, the page says so and takes nothing", async (t) => {
    const admin = await adminClient(baseUrl);
    const page = await open(t, [/status of 503/, /status 503 of/]);
    await page.goto("/app/portfolio/funds");
    await startWithBurner(page);
    await page.getByText("Withdrawable: 10,000.00").waitFor();
    await admin.exchangeAdmin.setSwitches({ withdrawals_paused: true, reason: "a drill" });
    try {
      await withdraw(page, "100");
      await dialogOf(page)
        .getByRole("alert")
        .getByText(/Withdrawals are paused/)
        .waitFor();
      await dialogOf(page).getByText("WITHDRAWALS_PAUSED").waitFor();
      await page.keyboard.press("Escape");
      await page
        .getByRole("region", { name: "Withdraw" })
        .getByText(/Withdrawals are paused/)
        .waitFor();
      await expectAccessibleInBothThemes(page);
    } finally {
      await admin.exchangeAdmin.setSwitches({ withdrawals_paused: false, reason: "the drill is over" });
    }
    await withdraw(page, "100");
    await rowOf(page, "−100.00").getByText("Paid").waitFor();
    assert.equal(await rowOf(page, "−100.00").count(), 1);
  });

  it("VLT-1: another address is warned of, and one of the list is chosen by its label", async (t) => {
    const page = await open(t);
    await page.goto("/app/portfolio/funds");
    await startWithBurner(page);
    await page.getByLabel("Label").fill("cold storage");
    await page.getByLabel("New address").fill(OPERATOR);
    await page.getByRole("button", { name: "Add to the list" }).click();
    await page.getByLabel("Withdraw to").selectOption({ label: "cold storage, 0x1111…1111" });
    await page.getByLabel("Withdrawal amount in USDT").fill("10");
    await page.getByRole("button", { name: "Withdraw 10.00 USDT", exact: true }).click();
    await dialogOf(page).getByText("This is not the wallet that you are signed in with.").waitFor();
    await dialogOf(page).getByText(OPERATOR).waitFor();
    await dialogOf(page).getByRole("button", { name: "Keep as it is" }).click();
    await page.getByRole("button", { name: "Remove cold storage" }).click();
    await dialogOf(page).getByRole("button", { name: "Remove cold storage" }).click();
    await page.getByText("No addresses yet").waitFor();
  });

  /** SEC-5: the request of a bot with the key. */
  async function askWith(key: string, secret: string) {
    const { serverTime } = await createClient({ baseUrl }).market.serverTime();
    const query = `timestamp=${serverTime}`;
    const signature = createHmac("sha256", secret).update(query).digest("hex");
    const headers = { "x-mbx-apikey": key };
    const response = await fetch(`${baseUrl}/fapi/v2/balance?${query}&signature=${signature}`, { headers });
    return { status: response.status, body: (await response.json()) as { readonly code?: number } };
  }

  it("SEC-4: an API key is made, works, and is refused once it is revoked", async (t) => {
    const page = await open(t);
    await page.goto("/app/portfolio/keys");
    await startWithBurner(page);
    await page.getByRole("button", { name: "New key" }).click();
    await dialogOf(page).getByRole("button", { name: "Make the key" }).click();
    await dialogOf(page).getByText("1 to 64 characters.").waitFor();
    await dialogOf(page).getByLabel("Label").fill("reader");
    await dialogOf(page).getByLabel("Only from these IPs").fill("127.0.0.0/8");
    await expectAccessibleInBothThemes(page);
    await dialogOf(page).getByRole("button", { name: "Make the key" }).click();
    const key = await dialogOf(page).getByLabel("API key", { exact: true }).inputValue();
    const secret = await dialogOf(page).getByLabel("Secret", { exact: true }).inputValue();
    assert.deepEqual([key.length, secret.length], [64, 64]);
    await dialogOf(page).getByRole("button", { name: "I have saved the secret" }).click();
    assert.equal((await askWith(key, secret)).status, 200);

    await page.reload();
    await rowOf(page, "reader").getByText("127.0.0.0/8").waitFor();
    assert.equal(await page.getByText(secret).count(), 0);
    await page.getByRole("button", { name: "Revoke reader" }).click();
    await dialogOf(page).getByRole("button", { name: "Revoke reader" }).click();
    await page.getByText("You have no API keys").waitFor();
    const { status, body } = await askWith(key, secret);
    assert.deepEqual([status, body.code], [401, -2015]);
  });

  it("BON-1: a code is redeemed once; refusals come in words", async (t) => {
    const admin = await adminClient(baseUrl);
    const who = { operator_addr: OPERATOR };
    const { grant_batch_id } = await admin.bonusAdmin.grant({
      ...who,
      batch_name: "Community round",
      grant_tier: "COMMUNITY",
      per_address_amount: "500",
      max_leverage: 7,
      recipients: [OPERATOR],
      request_id: "portfolio-batch",
    });
    const request = { ...who, grant_batch_id, amount: "123.45", count: 1, ttl_days: 3, request_id: "portfolio-codes" };
    const { codes } = await admin.bonusAdmin.generateCodes(request);
    const page = await open(t, [/status of 400.*redeem/]);
    await page.goto("/app/portfolio/bonus");
    await startWithBurner(page);
    const field = page.getByLabel("Bonus code");
    await field.fill("0000-0000-0000-0000");
    await page.getByRole("button", { name: "Redeem the code" }).click();
    await page.getByText("The code cannot be redeemed. Check what you typed.").waitFor();
    await field.fill(codes[0]?.toLowerCase() ?? "");
    await page.getByRole("button", { name: "Redeem the code" }).click();
    await page.getByText("It counts as margin for your positions.").waitFor();
    await page.getByText("7×", { exact: true }).waitFor();
    await page
      .getByText(/^6 d 23 h$/)
      .first()
      .waitFor();
    assert.equal(await field.count(), 0, "who has a bonus is asked for no code");
    await rowOf(page, "Granted").getByText("+123.450000").waitFor();
    await rowOf(page, "Granted").getByRole("button", { name: "How?" }).click();
    await dialogOf(page)
      .getByText(/the code that you redeemed/)
      .waitFor();
    await page.keyboard.press("Escape");
    await takePicture(page, "portfolio-bonus");
    await expectAccessibleInBothThemes(page);
    // A bonus is not withdrawable.
    await goTo(page, "Funds");
    await page.getByText("Withdrawable: 10,000.00").waitFor();
  });

  it("income is filtered and saved as it is shown; fees are public", async (t) => {
    const page = await open(t);
    await page.goto("/app/portfolio/fees");
    await page.getByRole("table", { name: "Fee schedule" }).getByText("VIP 5").waitFor();
    await startWithBurner(page);
    await page.getByText("Progress to VIP 1").waitFor();
    await page.getByText("0.00 of 1.00M USDT").waitFor();
    await goTo(page, "Income");
    await rowOf(page, "Deposit or withdrawal").getByText("+10,000.000000").waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV of 1 rows" }).click();
    const saved = await (await download).createReadStream();
    const text = (await saved.toArray()).join("");
    assert.match(text, /^id,time_utc,type,symbol,amount_usdt,trade_id\r\n\d+,[^,]+ UTC,TRANSFER,,10000\.00,\r\n$/);
    await page.getByLabel("Type").selectOption({ label: "Funding" });
    await page.getByText("Nothing of this kind. Choose another type or market.").waitFor();
  });

  it("every part is accessible in both themes, and fits a phone", async (t) => {
    const page = await open(t, [], "phone");
    await page.goto("/app/portfolio");
    await page.getByText("You are not signed in").waitFor();
    await noSidewaysScroll(page);
    await startWithBurner(page);
    for (const tab of TABS) {
      await goTo(page, tab);
      await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
      await noSidewaysScroll(page);
      await expectAccessibleInBothThemes(page);
    }
    await goTo(page, "Funds");
    await page.getByLabel("Deposit amount in USDT").fill("5");
    await page.getByRole("button", { name: "Deposit 5.00 USDT" }).click();
    await page.getByText("5.00 USDT are in your account").waitFor();
    await noSidewaysScroll(page);
    await takePicture(page, "portfolio-phone");
  });
});
