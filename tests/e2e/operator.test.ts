import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { type Client, createClient, type PayoutBatch, RequestRefused } from "@bourse/api/client";
import type { Locator, Page } from "playwright-core";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { expectNoSeriousViolations, noSidewaysScroll, openPage, takePicture } from "../support/browser.ts";
import { pinPrices, postJson, signIn, TRADING_ENV } from "../support/traders.ts";
import { ownerOfSuite, startQuietServer } from "../support/visitors.ts";

const DAY_ms = 86_400_000;
const AFTER_MIDNIGHT_ms = 5 * 60_000;
const PAGES = [
  "Dashboard",
  "BDs",
  "KOLs",
  "Tiers",
  "Settlement",
  "Payout batches",
  "Rebate records",
  "Kill switches",
  "Markets and prices",
  "Market risk",
  "Withdrawals in review",
  "Invariants",
  "Audit log",
  "Jobs",
  "Health",
  "Development",
] as const;

/** Caused on purpose: a wrong password, a token that a moved clock has expired, a day that is not settled. */
const TOLERATED = [/status of 401/, /status of 404.*settlements/];

const newWallet = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey());
const dialogOf = (page: Page): Locator => page.getByRole("dialog");
const rowOf = (page: Page, text: string | RegExp): Locator => page.getByRole("row").filter({ hasText: text });

async function go(page: Page, label: (typeof PAGES)[number]): Promise<void> {
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: label, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: label }).waitFor();
}

async function enter(page: Page, password: string): Promise<void> {
  await page.getByLabel("Username").fill("admin");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).last().click();
}

async function openConsole(page: Page): Promise<void> {
  await page.goto("/app/admin");
  await enter(page, TRADING_ENV.ADMIN_PASSWORD);
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
}

/** Confirms the dialog and waits until the action is done. */
async function confirm(page: Page, label: string | RegExp): Promise<void> {
  await dialogOf(page).getByRole("button", { name: label }).click();
  await dialogOf(page).waitFor({ state: "detached" });
}

/** The value under a name in the dialog. */
const factOf = (page: Page, name: string): Promise<string> =>
  dialogOf(page).locator(`dt:text-is("${name}") + dd`).innerText();

async function clientOf(baseUrl: string): Promise<Client> {
  const anyone = createClient({ baseUrl });
  const { access_token } = await anyone.auth.staffLogin("admin", TRADING_ENV.ADMIN_PASSWORD);
  return createClient({ baseUrl, accessToken: () => access_token });
}

/** A customer of the KOL trades with another wallet, which makes fees that are shared. */
async function tradeUnder(baseUrl: string, kol: PrivateKeyAccount): Promise<{ readonly customer: PrivateKeyAccount }> {
  const [customer, stranger] = [newWallet(), newWallet()];
  for (const { address } of [customer, stranger]) {
    await postJson(`${baseUrl}/api/v1/dev/faucet`, { address, amount: "100000" });
  }
  const code = { code_type: "direct", share_ratio: "0", customer_rebate_ratio: "0.1" };
  const invited = await postJson<{ code: string }>(
    `${baseUrl}/api/v1/broker/invite-code`,
    code,
    await signIn(baseUrl, kol),
  );
  const [customerToken, strangerToken] = [await signIn(baseUrl, customer), await signIn(baseUrl, stranger)];
  await postJson(`${baseUrl}/api/v1/broker/bind`, { code: invited.code }, customerToken);
  const order = (side: "BUY" | "SELL", time_in_force: "GTC" | "IOC", token: string) =>
    postJson(
      `${baseUrl}/orders`,
      { symbol: "BTCUSDT", type: "LIMIT", price: "60000", quantity: "0.5", side, time_in_force },
      token,
    );
  await order("SELL", "GTC", strangerToken);
  await order("BUY", "IOC", customerToken);
  return { customer };
}

/** Moves past midnight, before the job settles the day. Returns the day that has ended. */
async function endDay(baseUrl: string): Promise<string> {
  const { serverTime } = await createClient({ baseUrl }).market.serverTime();
  const midnight_ms = (Math.floor(serverTime / DAY_ms) + 1) * DAY_ms;
  await postJson(`${baseUrl}/api/v1/dev/clock`, { now: midnight_ms + AFTER_MIDNIGHT_ms });
  return new Date(midnight_ms - DAY_ms).toISOString().slice(0, 10);
}

async function createBd(page: Page): Promise<void> {
  await go(page, "BDs");
  await page.getByRole("button", { name: "New BD" }).click();
  await page.getByLabel("Username").fill("asia-desk");
  await page.getByLabel("Name", { exact: true }).fill("Asia desk");
  await page.getByLabel("First password").fill("short");
  await page.getByText("Give at least 8 characters.").waitFor();
  await page.getByLabel("First password").fill("long and secret");
  await confirm(page, "Create BD asia-desk");
  await rowOf(page, "Asia desk").getByText("active").waitFor();
}

async function createKol(page: Page, address: string): Promise<void> {
  await go(page, "KOLs");
  await page.getByRole("button", { name: "New KOL" }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel("Wallet").fill(address);
  await dialog.getByLabel("Name").fill("Moon Li");
  await dialog.getByLabel("Tier").selectOption({ label: "L3 Gold, 30 %" });
  await dialog.getByLabel("Owner").selectOption({ label: "Asia desk (asia-desk)" });
  await dialog.getByRole("button", { name: "Review" }).click();
  assert.equal(await factOf(page, "Rate of the fees it refers"), "30 %");
  await confirm(page, "Make Moon Li a Gold KOL");
  await rowOf(page, "Moon Li").getByText("Gold L3").waitFor();
}

async function setTier(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Actions for Moon Li" }).click();
  await page.getByRole("menuitem", { name: "Set tier" }).click();
  await dialogOf(page).getByLabel("Tier").selectOption({ label: "L4 Platinum, 35 %" });
  await dialogOf(page).getByLabel("Reason").fill("a strong month");
  await dialogOf(page).getByRole("button", { name: "Review" }).click();
  await takePicture(page, "operator-tier");
  await confirm(page, "Set Moon Li to Platinum, 35 %");
  await rowOf(page, "Moon Li").getByText("35.00 %").waitFor();
}

async function settle(page: Page, period: string): Promise<void> {
  await go(page, "Settlement");
  const settleDay = async () => {
    await page.getByRole("button", { name: `Settle ${period}` }).click();
    await confirm(page, `Settle ${period}`);
  };
  await settleDay();
  const result = page.getByRole("region", { name: `Result of ${period}` });
  await result.getByText("closed", { exact: true }).waitFor();
  // 0.5 BTC at 60,000, of which a taker pays 0.05 %.
  await result.getByText("15.00 USDT").first().waitFor();
  await settleDay();
  await result.getByText("Nothing changed: the same records, byte for byte, and the same root.").waitFor();
  await takePicture(page, "operator-settlement");
}

/** Makes a payout batch and pays it, with the figures of the interface. */
async function payBatch(page: Page, admin: Client): Promise<PayoutBatch> {
  await go(page, "Payout batches");
  await page.getByRole("button", { name: "Review the batch" }).click();
  await confirm(page, "Put up to 5.25 USDT into a batch");
  await page.getByRole("heading", { level: 1, name: "Payout batch" }).waitFor();
  const [batch] = (await admin.brokerAdmin.payoutBatches()).items;
  assert.ok(batch !== undefined);
  assert.deepEqual([batch.status, batch.total_amount, batch.payee_count], ["open", "5.25", 2]);
  const label = `Pay ${batch.total_amount} USDT to ${batch.payee_count} partners`;
  await page.getByRole("button", { name: label }).click();
  assert.equal(await factOf(page, "Total"), `${batch.total_amount} USDT`);
  assert.equal(await factOf(page, "Payees"), String(batch.payee_count));
  assert.equal(await factOf(page, "Lines"), String(batch.line_count));
  await takePicture(page, "operator-pay");
  await confirm(page, label);
  await page.getByText("Every payee has its money.").waitFor();
  assert.equal((await admin.brokerAdmin.payoutBatch(batch.id)).status, "paid");
  await takePicture(page, "operator-batch");
  return batch;
}

async function downloadCsv(page: Page, batch: PayoutBatch): Promise<void> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  assert.equal((await downloading).suggestedFilename(), `payout-${batch.id}.csv`);
  await page.getByText("The CSV matches the batch's SHA-256.").waitFor();
}

async function explainRecord(page: Page): Promise<void> {
  await go(page, "Rebate records");
  await page.getByText("Paid", { exact: true }).click();
  await page.getByRole("button", { name: "Explain" }).first().click();
  await dialogOf(page).getByText("1 fill behind it").waitFor();
  await dialogOf(page).getByText("Downline", { exact: true }).waitFor();
  await takePicture(page, "operator-explain");
  await page.keyboard.press("Escape");
}

const withdraw = (baseUrl: string, token: string) =>
  createClient({ baseUrl, accessToken: () => token }).account.withdraw({ amount: "1" });

async function flipWithdrawals(page: Page, baseUrl: string, customer: PrivateKeyAccount): Promise<void> {
  const token = await signIn(baseUrl, customer);
  await go(page, "Kill switches");
  await page.getByRole("button", { name: "Pause withdrawals" }).click();
  await dialogOf(page).getByLabel("Reason").fill("a drill");
  await takePicture(page, "operator-switch");
  await confirm(page, "Pause withdrawals of the whole platform");
  await page.getByText("Withdrawals are paused.").first().waitFor();
  await page.getByText("a drill").waitFor();
  await assert.rejects(withdraw(baseUrl, token), (refusal: unknown) => {
    assert.ok(refusal instanceof RequestRefused);
    assert.deepEqual([refusal.status, refusal.code], [503, "WITHDRAWALS_PAUSED"]);
    return true;
  });
  await go(page, "Dashboard");
  await page.getByRole("link", { name: "Withdrawals are paused." }).click();
  await page.getByRole("button", { name: "Resume withdrawals" }).click();
  await confirm(page, "Resume withdrawals of the whole platform");
  await page.getByText("Withdrawals are running.").first().waitFor();
  assert.equal((await withdraw(baseUrl, token)).amount, "1.00");
}

async function lookAtInvariants(page: Page): Promise<void> {
  await go(page, "Invariants");
  await page.getByText(/^All \d+ hold$/).waitFor();
  const list = page.getByRole("list", { name: "Invariants" });
  for (const code of ["INV-1", "INV-2", "INV-3", "INV-4", "INV-5", "INV-6", "INV-7", "INV-8", "INV-10", "INV-11"]) {
    const item = list.getByRole("listitem").filter({ has: page.getByText(code, { exact: true }) });
    await item.getByText("holds", { exact: true }).waitFor();
  }
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText(/^All \d+ hold$/).waitFor();
}

async function lookAtAuditLog(page: Page): Promise<void> {
  await go(page, "Audit log");
  const log = page.getByRole("table", { name: "Audit log" });
  for (const words of [
    "BD created",
    "KOL created",
    "Tier of a KOL set",
    "Day settled",
    "Payout batch made",
    "Payout batch paid",
    "Withdrawal switch changed",
  ]) {
    await log.getByRole("button", { name: words }).first().waitFor();
  }
  await page.getByRole("button", { name: "Check the chain" }).click();
  await page.getByText(/entries match their hashes, and \d+ entries link/).waitFor();
  await log.getByRole("button", { name: "Tier of a KOL set" }).click();
  const change = dialogOf(page).getByRole("row", { name: /rebate_rate/ });
  assert.match(await change.innerText(), /0\.3\s+0\.35/);
  await dialogOf(page).getByText("a strong month").waitFor();
  await takePicture(page, "operator-audit");
  await dialogOf(page).getByRole("button", { name: "Only this action" }).click();
  await page.getByText("1 entry of 1 loaded").waitFor();
}

describe("the operator console", () => {
  const owner = ownerOfSuite();
  let baseUrl: string;
  before(async () => {
    ({ baseUrl } = await startQuietServer(owner));
    await pinPrices(baseUrl);
  });

  it("from a new partner to money that is paid and proven, with the withdrawal switch turned on the way", async (t) => {
    const page = await openPage(t, { baseUrl, tolerates: TOLERATED });
    await page.goto("/app/admin");
    await enter(page, "not the password");
    await page.getByText("Wrong username or password.").waitFor();
    await enter(page, TRADING_ENV.ADMIN_PASSWORD);
    await page.getByText("Nothing needs attention.").waitFor();

    const kol = newWallet();
    await createBd(page);
    await createKol(page, kol.address);
    await setTier(page);
    const { customer } = await tradeUnder(baseUrl, kol);
    const period = await endDay(baseUrl);
    // The platform's clock has moved by a day, which expires a session of the staff unless it is evening.
    await page.evaluate("localStorage.clear()");
    await page.reload();
    await enter(page, TRADING_ENV.ADMIN_PASSWORD);
    await settle(page, period);
    const batch = await payBatch(page, await clientOf(baseUrl));
    await downloadCsv(page, batch);
    await explainRecord(page);
    await flipWithdrawals(page, baseUrl, customer);
    await lookAtInvariants(page);
    await lookAtAuditLog(page);
  });

  it("tiers are checked before they are sent, and shown before and after", async (t) => {
    const page = await openPage(t, { baseUrl, tolerates: TOLERATED });
    await openConsole(page);
    await go(page, "Tiers");
    await page.getByLabel("Rate of level 5").fill("34");
    await page.getByText("Not below level 4's 35 %.").waitFor();
    assert.ok(await page.getByRole("button", { name: "Review the change" }).isDisabled());
    await page.getByLabel("Rate of level 5").fill("42.5");
    await page.getByRole("button", { name: "Review the change" }).click();
    assert.match(await factOf(page, "Level 5"), /Diamond, 40 % from 200,000 USDT\s+Diamond, 42.5 % from 200,000 USDT/);
    await confirm(page, "Change 1 line of the tiers");
    await page.getByText("Nothing is changed.").waitFor();
    const { tiers } = await (await clientOf(baseUrl)).brokerAdmin.tierThresholds();
    assert.equal(tiers[4]?.rebate_rate, "0.425");
  });

  it("a BD with KOLs is disabled by handing them over, and a market is halted and let go", async (t) => {
    const page = await openPage(t, { baseUrl, tolerates: TOLERATED });
    await openConsole(page);
    await go(page, "BDs");
    await page.getByRole("button", { name: "Actions for asia-desk" }).click();
    await page.getByRole("menuitem", { name: "Move all KOLs" }).click();
    await dialogOf(page).getByText("1 KOL would move, 0 sub-KOLs among them.").waitFor();
    await dialogOf(page).getByLabel("New owner").selectOption({ label: "The company (no BD)" });
    await dialogOf(page).getByLabel("Also disable asia-desk").check();
    await dialogOf(page).getByRole("button", { name: "Review" }).click();
    await confirm(page, "Move 1 KOL to The company and disable asia-desk");
    await rowOf(page, "Asia desk").getByText("disabled").waitFor();
    await rowOf(page, "Asia desk").getByText("0 KOLs").waitFor();

    await go(page, "Markets and prices");
    await page.getByRole("button", { name: "Actions for SOLUSDT" }).click();
    await page.getByRole("menuitem", { name: "Halt" }).click();
    await confirm(page, "Halt SOLUSDT");
    const markets = page.getByRole("table", { name: "Markets" });
    await markets.getByRole("row").filter({ hasText: "SOLUSDT" }).getByText("halted").waitFor();
    await page.getByRole("button", { name: "Actions for SOLUSDT" }).click();
    await page.getByRole("menuitem", { name: "Let trade" }).click();
    await confirm(page, "Let SOLUSDT trade");
    await markets.getByRole("row").filter({ hasText: "SOLUSDT" }).getByText("trading").waitFor();
  });

  it("every page is accessible, dark and light", async (t) => {
    const page = await openPage(t, { baseUrl, tolerates: TOLERATED });
    await openConsole(page);
    for (const label of PAGES) {
      await go(page, label);
      await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
      for (const theme of ["dark", "light"]) {
        // Every colour depends on this attribute.
        await page.evaluate(`document.documentElement.dataset.theme = "${theme}"`);
        await expectNoSeriousViolations(page);
      }
    }
  });

  it("on a phone every page is reached by the menu and stays within the screen", async (t) => {
    const page = await openPage(t, { baseUrl, on: "phone", tolerates: TOLERATED });
    await openConsole(page);
    for (const label of PAGES) {
      await page.getByRole("button", { name: /^Console: / }).click();
      await page.getByRole("menuitem", { name: label, exact: true }).click();
      await page.getByRole("heading", { level: 1, name: label }).waitFor();
      await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
      await noSidewaysScroll(page);
    }
    await expectNoSeriousViolations(page);
    await takePicture(page, "operator-phone");
  });
});
