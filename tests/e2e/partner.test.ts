import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, it, type TestContext } from "node:test";
import { type Client, createClient } from "@bourse/api/client";
import type { Locator, Page } from "playwright-core";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { expectNoSeriousViolations, noSidewaysScroll, openPage, takePicture } from "../support/browser.ts";
import type { RunningServer } from "../support/server.ts";
import { pinPrices, postJson, signIn, TRADING_ENV } from "../support/traders.ts";
import { ownerOfSuite, startQuietServer } from "../support/visitors.ts";
import { waitFor } from "../support/waiting.ts";

const DAY_ms = 86_400_000;
const SETTLED_ms = 11 * 60_000;
const BD_PASSWORD = "long and secret";

/** Caused on purpose: a wallet that is no partner yet, refused codes, and tokens that a moved clock has expired. */
const TOLERATED = [/status of 404.*\/broker\//, /status of 4(00|09|10).*\/broker\/bind/, /status of 401/];

const dialogOf = (page: Page): Locator => page.getByRole("dialog");
const newWallet = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey());

/** The key that the page made for its burner wallet. */
async function keyOf(page: Page): Promise<PrivateKeyAccount> {
  const kept = await page.evaluate<string | null>("localStorage.getItem('bourse.wallet')");
  const { key } = JSON.parse(kept ?? "{}") as { key: { private_key: `0x${string}` } };
  return privateKeyToAccount(key.private_key);
}

async function startBurner(page: Page): Promise<void> {
  await dialogOf(page).getByRole("button", { name: "Try it with a burner wallet" }).click();
  await page.getByRole("button", { name: "Account" }).waitFor();
}

async function goTo(page: Page, label: string): Promise<void> {
  await page.getByRole("navigation", { name: "Partner pages" }).getByRole("link", { name: label, exact: true }).click();
}

async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNoSeriousViolations(page);
  }
  await page.emulateMedia({ colorScheme: "dark" });
}

describe("the partner portal", () => {
  const owner = ownerOfSuite();
  let server: RunningServer;
  let admin: Client;
  const open = (t: TestContext, on: "desktop" | "phone" = "desktop") =>
    openPage(t, { baseUrl: server.baseUrl, on, tolerates: TOLERATED, context: { colorScheme: "dark" } });

  before(async () => {
    server = await startQuietServer(owner);
    await pinPrices(server.baseUrl);
    admin = await adminClient();
  });

  /** Signs in again, because a moved clock expires tokens. */
  async function adminClient(): Promise<Client> {
    const { baseUrl } = server;
    const { access_token } = await createClient({ baseUrl }).auth.staffLogin("admin", TRADING_ENV.ADMIN_PASSWORD);
    return createClient({ baseUrl, accessToken: () => access_token });
  }

  async function makeKol(wallet: PrivateKeyAccount, nickname: string): Promise<void> {
    await admin.brokerAdmin.createKol({ wallet_address: wallet.address, level: 3, nickname });
  }

  async function makeCode(wallet: PrivateKeyAccount): Promise<string> {
    const draft = { code_type: "direct", share_ratio: "0", customer_rebate_ratio: "0.1" };
    const token = await signIn(server.baseUrl, wallet);
    return (await postJson<{ code: string }>(`${server.baseUrl}/api/v1/broker/invite-code`, draft, token)).code;
  }

  /** The friend buys from another wallet: 60,000 USDT at 0.05 % are 30 USDT of fees. */
  async function trade(friend: PrivateKeyAccount): Promise<void> {
    const { baseUrl } = server;
    const stranger = newWallet();
    for (const { address } of [friend, stranger]) {
      await postJson(`${baseUrl}/api/v1/dev/faucet`, { address, amount: "100000" });
    }
    const order = async (wallet: PrivateKeyAccount, side: "BUY" | "SELL", time_in_force: "GTC" | "IOC") => {
      const body = { symbol: "BTCUSDT", type: "LIMIT", price: "60000", quantity: "1", side, time_in_force };
      await postJson(`${baseUrl}/orders`, body, await signIn(baseUrl, wallet));
    };
    await order(stranger, "SELL", "GTC");
    await order(friend, "BUY", "IOC");
  }

  /** Moves past midnight and runs the job that settles the day. */
  async function settleDay(): Promise<string> {
    const { serverTime } = await createClient({ baseUrl: server.baseUrl }).market.serverTime();
    const midnight_ms = (Math.floor(serverTime / DAY_ms) + 1) * DAY_ms;
    await postJson(`${server.baseUrl}/api/v1/dev/clock`, { now: midnight_ms + SETTLED_ms });
    admin = await adminClient();
    const period = new Date(midnight_ms - DAY_ms).toISOString().slice(0, 10);
    await admin.brokerAdmin.calculateRebates(period);
    return period;
  }

  async function payEverything(): Promise<void> {
    const { id } = await admin.brokerAdmin.createPayoutBatch();
    await admin.brokerAdmin.payPayoutBatch(id);
    await waitFor(
      async () => {
        await postJson(`${server.baseUrl}/api/v1/dev/jobs/chain-sync/run`, {});
        return (await admin.brokerAdmin.payoutBatch(id)).status === "paid";
      },
      { what: "the payout to be paid" },
    );
  }

  it("BRK-1, BRK-17: a partner invites a friend who trades; the record is explained, proved, exported and paid", async (t) => {
    const partner = await open(t);
    await partner.goto("/app/partner");
    await partner.getByRole("main").getByRole("button", { name: "Sign in" }).click();
    await startBurner(partner);
    await partner.getByText("No rebates yet").waitFor();
    await expectAccessible(partner);
    const kol = await keyOf(partner);
    await makeKol(kol, "Moon Li");
    await partner.reload();
    await partner.getByText("Moon Li, Gold").waitFor();

    const link = await makeCodeByHand(partner);
    const { page: friendPage, address: friend } = await joinByLink(t, link);
    await trade(await keyOf(friendPage));
    const period = await settleDay();

    await partner.reload();
    await goTo(partner, "Downlines");
    await partner.getByRole("table", { name: "Downlines" }).getByText("30.00").waitFor();
    await checkRecord(partner, period, friend);
    await exportRecords(partner, friend);
    await lookAround(partner);

    await payEverything();
    await seePayout(partner);
    await friendSeesRebate(friendPage, period);
  });

  /** The page explains ratios while they are typed; the code comes with its link and QR code. */
  async function makeCodeByHand(page: Page): Promise<string> {
    await goTo(page, "Codes");
    await page.getByRole("button", { name: "New code" }).first().click();
    const dialog = dialogOf(page);
    await dialog.getByLabel("Customers get back").fill("31");
    await dialog.getByText("At most 30 %, your own rate.").waitFor();
    await dialog.getByLabel("Customers get back").fill("10");
    await dialog.getByText("20.00").waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Make a code for customers" }).click();
    await dialog.waitFor({ state: "detached" });
    const card = page.getByRole("article");
    const link = await card.getByText("/app/?ref=").innerText();
    await card.getByRole("button", { name: /^QR code of/ }).click();
    await dialogOf(page)
      .getByRole("img", { name: /^QR code of the link/ })
      .waitFor();
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "detached" });
    await expectAccessible(page);
    return link;
  }

  /** A new user on a phone: bound once, even if the page is loaded repeatedly. */
  async function joinByLink(t: TestContext, link: string): Promise<{ page: Page; address: string }> {
    const page = await open(t, "phone");
    let binds = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/api/v1/broker/bind")) binds += 1;
    });
    await page.goto(link);
    await page.getByRole("heading", { name: "You are invited to Bourse" }).waitFor();
    await expectAccessible(page);
    await noSidewaysScroll(page);
    await page.reload();
    await page.getByRole("button", { name: "Sign in and join" }).click();
    await startBurner(page);
    await page.getByText("You have joined.").waitFor();
    await page.getByText("Moon Li").waitFor();
    await takePicture(page, "partner-joined-phone");
    await page.reload();
    await page.getByText("You have joined.").waitFor();
    assert.equal(binds, 1, "the code is used once");
    await page.getByRole("link", { name: "Start trading" }).click();
    await page.waitForURL(/\/app\/trade\//);
    return { page, address: (await keyOf(page)).address.toLowerCase() };
  }

  /** BRK-10: 30 % of 30 USDT are 9; the customer's 10 % are 3; 6 are left. */
  async function checkRecord(page: Page, period: string, friend: string): Promise<void> {
    await goTo(page, "Records");
    const row = page.getByRole("table", { name: "Rebate records" }).getByRole("row").filter({ hasText: period });
    await row.getByText("6.00").waitFor();
    await row.getByText("pending").waitFor();
    await expectAccessible(page);
    await row.getByRole("link", { name: `record of ${period} for ${friend}` }).click();
    const dialog = dialogOf(page);
    await dialog.getByText("nominal = floor6(30.00 × 0.3) = 9.00").waitFor();
    await dialog.getByText("net = 9.00 − 3.00 − 0.00 = 6.00").waitFor();
    await dialog
      .getByRole("table", { name: "Fills of the record" })
      .getByText(/^BTCUSDT #\d+ buy$/)
      .waitFor();
    await expectAccessible(page);
    await dialog.getByRole("tab", { name: "Check the proof" }).click();
    await dialog.getByText("The proof is valid").waitFor();
    await dialog.getByText(`Published root of ${period}`).waitFor();
    await expectAccessible(page);
    await takePicture(page, "partner-proof");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }

  async function exportRecords(page: Page, friend: string): Promise<void> {
    await page.getByRole("button", { name: "Export CSV" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialogOf(page).getByRole("button", { name: "Save as CSV" }).click(),
    ]);
    const lines = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\r\n");
    assert.match(lines[0] ?? "", /^period,id,revision,downline_wallet,fee_amount/);
    assert.equal(lines.length, 2);
    assert.ok(lines[1]?.includes(friend), "the friend's record");
    await dialogOf(page).waitFor({ state: "detached" });
  }

  async function lookAround(page: Page): Promise<void> {
    await goTo(page, "Overview");
    const figures = page.getByRole("region", { name: "Your figures" });
    await figures.getByText("Net rebate in all").waitFor();
    await figures.getByText("6.00").first().waitFor();
    await page.getByText("of fees are missing to Platinum").waitFor();
    await expectAccessible(page);
    await takePicture(page, "partner-overview");
    await goTo(page, "What if");
    await page.getByRole("table", { name: "What it would have been" }).getByText("You keep").waitFor();
    await page.getByRole("slider").press("Home");
    await page
      .getByRole("row", { name: /You keep/ })
      .getByText("+3.00")
      .waitFor();
    await expectAccessible(page);
    await goTo(page, "Leaderboard");
    await page
      .getByRole("row", { name: /Moon Li/ })
      .getByText("you")
      .waitFor();
    await expectAccessible(page);
  }

  async function seePayout(page: Page): Promise<void> {
    await goTo(page, "Payouts");
    await page.reload();
    const row = page.getByRole("table", { name: "Payouts" }).getByRole("row").nth(1);
    await row.getByText("6.00").waitFor();
    await row.getByText("paid", { exact: true }).waitFor();
    await row.getByRole("button", { name: "Copy transaction" }).waitFor();
    await expectAccessible(page);
    await claimRebates(page);
    await goTo(page, "Records");
    await page.getByRole("table", { name: "Rebate records" }).getByText("paid", { exact: true }).waitFor();
  }

  /** Claims what was credited in the contract, once. */
  async function claimRebates(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Claim 6.00 USDT" }).click();
    await dialogOf(page).getByText("The tokens are in your wallet").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Nothing to claim" }).waitFor();
    const { address } = await keyOf(page);
    const { claimed_usd } = await createClient({ baseUrl: server.baseUrl }).referral.claimed(address);
    assert.equal(claimed_usd, "6.000000");
  }

  /** On the phone: the rebate, how it was computed, and that it was paid. */
  async function friendSeesRebate(page: Page, period: string): Promise<void> {
    await page.goto("/app/partner");
    const row = page
      .getByRole("table", { name: "Rebates of your own trades" })
      .getByRole("row")
      .filter({ hasText: period });
    await row.getByText("3.00").waitFor();
    await row.getByText("paid", { exact: true }).waitFor();
    await noSidewaysScroll(page);
    await row.getByRole("link", { name: `rebate of ${period}` }).click();
    await dialogOf(page).getByText("customer = floor6(30.00 × 0.1) = 3.00").waitFor();
    await noSidewaysScroll(page);
    await expectAccessible(page);
    await takePicture(page, "partner-rebate-phone");
    await page.keyboard.press("Escape");
    await goTo(page, "Payouts");
    await page.getByRole("table", { name: "Payouts" }).getByText("paid", { exact: true }).waitFor();
    await noSidewaysScroll(page);
  }

  it("BRK-1: every refusal of an invitation is said in words, and a wallet that was there before is asked first", async (t) => {
    const [inviter, other] = [newWallet(), newWallet()];
    await makeKol(inviter, "Ada");
    await makeKol(other, "Bea");
    const [code, otherCode] = [await makeCode(inviter), await makeCode(other)];
    const page = await open(t);
    await page.goto("/app/?ref=NOSUCHXX");
    await page.getByRole("button", { name: "Sign in and join" }).click();
    await startBurner(page);
    await page.getByText("There is no such code.").waitFor();
    await expectAccessible(page);

    await page.goto(`/app/?ref=${code.toLowerCase()}`);
    await page.getByRole("button", { name: /^Join with 0x/ }).click();
    await page.getByText("You have joined.").waitFor();
    await page.goto(`/app/?ref=${otherCode}`);
    await page.getByRole("button", { name: /^Join with 0x/ }).click();
    await page.getByText("This wallet has been invited before, or is a partner itself.").waitFor();
    await page.getByRole("link", { name: "Start trading" }).waitFor();
  });

  it("BRK-4: a BD makes a code, and a wallet that uses it becomes a KOL of the BD", async (t) => {
    await admin.brokerAdmin.createBd({ username: "asia-desk", initial_password: BD_PASSWORD });
    const desk = await open(t);
    await desk.goto("/app/bd");
    await desk.getByLabel("Username").fill("asia-desk");
    await desk.getByLabel("Password").fill(BD_PASSWORD);
    await desk.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
    await desk.getByText("You have no KOLs yet").waitFor();
    await expectAccessible(desk);
    await desk.getByRole("tab", { name: "Codes", exact: true }).click();
    await desk.getByLabel("Tier of the KOL").fill("2");
    await desk.getByLabel("Note, for yourself").fill("for Cleo");
    await desk.getByRole("button", { name: "Make a code" }).click();
    const link = await desk.getByRole("article").getByText("/app/?ref=").innerText();
    await expectAccessible(desk);

    const newcomer = await open(t, "phone");
    await newcomer.goto(link);
    await newcomer.getByRole("button", { name: "Sign in and join" }).click();
    await startBurner(newcomer);
    await newcomer.getByText("You are a partner now").waitFor();
    await newcomer.getByRole("link", { name: "Open your portal" }).click();
    await newcomer.getByText("Your tier: Silver").waitFor();
    await noSidewaysScroll(newcomer);
    await expectAccessible(newcomer);
    for (const label of ["Codes", "Downlines", "Records", "Payouts", "What if", "Leaderboard"]) {
      await goTo(newcomer, label);
      await newcomer.getByRole("navigation", { name: "Partner pages" }).waitFor();
      await noSidewaysScroll(newcomer);
    }
    await desk.reload();
    await desk.getByRole("table", { name: "Your KOLs" }).getByText("25.00 %").waitFor();
  });
});
