import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { type Client, createClient, RequestRefused } from "@bourse/api/client";
import type { Locator, Page } from "playwright-core";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { expectNoSeriousViolations, noSidewaysScroll, openPage, takePicture } from "../support/browser.ts";
import { pinPrices, postJson, signIn, TRADING_ENV } from "../support/traders.ts";
import { adminClient, expectAccessibleInBothThemes, ownerOfSuite, startQuietServer } from "../support/visitors.ts";
import { waitFor } from "../support/waiting.ts";

const PAGES = ["Earn products", "Seasons", "Bonus", "Risk"] as const;
const BONUS_TABS = ["Grant", "Batches and codes", "Wallets", "Pool ledger", "Reconciliation"] as const;
const POINTS_TABS = ["Levels", "Rule", "Market makers"] as const;

const newWallet = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey());
const addressOf = ({ address }: PrivateKeyAccount): string => address.toLowerCase();
const dialogOf = (page: Page): Locator => page.getByRole("dialog");
const tab = (page: Page, name: string): Locator => page.getByRole("tab", { name, exact: true });

async function enterConsole(page: Page): Promise<void> {
  await page.goto("/app/admin/bonus");
  await page.getByLabel("Username").fill("admin");
  await page.getByLabel("Password").fill(TRADING_ENV.ADMIN_PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).last().click();
  await page.getByRole("heading", { level: 1, name: "Bonus" }).waitFor();
}

async function go(page: Page, label: string): Promise<void> {
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: label, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: label }).waitFor();
}

/** Presses the button that confirms the dialog. */
const press = (page: Page, label: string | RegExp): Promise<void> =>
  dialogOf(page).getByRole("button", { name: label }).click();

async function confirm(page: Page, label: string | RegExp): Promise<void> {
  await press(page, label);
  await dialogOf(page).waitFor({ state: "detached" });
}

/** The value beside a name, in the dialog or on the page. */
const factOf = (within: Locator, name: string): Promise<string> =>
  within.locator(`dt:text-is("${name}") + dd`).innerText();

async function asWallet(baseUrl: string, wallet: PrivateKeyAccount): Promise<Client> {
  const token = await signIn(baseUrl, wallet);
  return createClient({ baseUrl, accessToken: () => token });
}

const grantByApi = (admin: Client, recipients: readonly PrivateKeyAccount[], name: string) =>
  admin.bonusAdmin.grant({
    batch_name: name,
    grant_tier: "COMMUNITY",
    per_address_amount: "100",
    max_leverage: 10,
    recipients: recipients.map(addressOf),
    operator_addr: "the test",
    request_id: `${name} ${recipients.map(addressOf).join("+")}`.replaceAll(" ", "-").slice(0, 128),
  });

/** Enters a batch and reads its dry run. */
async function dryRun(page: Page, name: string, lines: readonly string[]): Promise<void> {
  await tab(page, "Grant").click();
  await page.getByLabel("Name of the batch").fill(name);
  await page.getByLabel("Amount for each wallet").fill("250");
  await page.getByLabel("Wallets, one a line").fill(lines.join("\n"));
  await page.getByRole("button", { name: /^Dry run for/ }).click();
  await page.getByRole("heading", { name: `Dry run of ${name}: nothing has been granted` }).waitFor();
}

async function grantBatch(page: Page, admin: Client, fresh: string, taken: string): Promise<void> {
  await tab(page, "Grant").click();
  await page
    .getByLabel("Wallets, one a line")
    .fill(`${fresh}\n0x123\n${taken}\n${fresh.toUpperCase().replace("0X", "0x")}`);
  const left = page.getByRole("table", { name: "Left out of the list" });
  await left.getByRole("row", { name: /2 0x123 An address is 0x and 40 hex digits/ }).waitFor();
  await left.getByRole("row", { name: /4 .* Duplicate: line 1 has it already/ }).waitFor();
  await dryRun(page, "Quiz", [fresh, taken]);
  const wouldFail = page.getByRole("table", { name: "Wallets that would fail" });
  await wouldFail.getByRole("row", { name: /^2 .*Has had a bonus of this campaign.*already_has_bonus/ }).waitFor();
  assert.deepEqual(
    (await admin.bonusAdmin.batches()).items.map(({ batch_name }) => batch_name),
    ["Before"],
  );
  await takePicture(page, "bonus-dry-run");

  await page.getByRole("button", { name: "Grant 250 USDT to 1 wallet" }).click();
  assert.equal(await factOf(dialogOf(page), "Wallets that get it"), "1");
  assert.match(await factOf(dialogOf(page), "Left in the pool"), /49,900\.00 USDT\s+49,650\.00 USDT/);
  await confirm(page, "Grant 250 USDT to 1 wallet");
  await page.getByText("250.00 USDT are with 1 wallet; 1 wallet failed.").waitFor();
  await page
    .getByRole("table", { name: "Wallets that failed" })
    .getByRole("row", { name: /already_has_bonus/ })
    .waitFor();
  const account = await admin.bonusAdmin.account(fresh);
  assert.deepEqual([account.bonuses[0]?.status, account.bonuses[0]?.amount], ["active", "250.00"]);
}

/** Makes codes of the open batch and returns them; the page shows them once. */
async function makeCodes(page: Page): Promise<readonly string[]> {
  await page.getByRole("link", { name: "To the batch" }).click();
  await page.getByRole("button", { name: "Make codes" }).click();
  await dialogOf(page).getByLabel("Number of codes").fill("2");
  await dialogOf(page).getByLabel("Amount of each code").fill("100");
  assert.equal(await factOf(dialogOf(page), "Left in the pool then"), "49,450.00 USDT");
  await press(page, "Review");
  await press(page, "Make 2 codes of 100 USDT (200 USDT)");
  const shown = dialogOf(page).getByRole("list", { name: "Codes" }).getByRole("listitem");
  await shown.nth(1).waitFor();
  const codes = await shown.allInnerTexts();
  const done = dialogOf(page).getByRole("button", { name: "Done" });
  assert.ok(await done.isDisabled(), "codes are not lost by a press too many");
  await page.keyboard.press("Escape");
  await dialogOf(page).getByLabel("I have saved them").check();
  await done.click();
  await dialogOf(page).waitFor({ state: "detached" });
  return codes;
}

/** Buys on the bonus from a seller, so that a part of it is in margin. */
async function holdPosition(baseUrl: string, holder: Client): Promise<void> {
  const maker = newWallet();
  await postJson(`${baseUrl}/api/v1/dev/faucet`, { address: maker.address, amount: "100000" });
  const order = { symbol: "BTCUSDT", type: "LIMIT", price: "60000", quantity: "0.002" } as const;
  await (await asWallet(baseUrl, maker)).orders.place({ ...order, side: "SELL" });
  await holder.orders.place({ ...order, side: "BUY" });
}

async function checkBooks(page: Page, admin: Client): Promise<void> {
  await tab(page, "Reconciliation").click();
  await page.getByRole("button", { name: "Compare now" }).click();
  await page.getByText("Both sides agree").waitFor();
  const report = await admin.bonusAdmin.reconcileReport();
  assert.deepEqual([report.ok, report.net_outflow], [true, report.outstanding_shadow_total]);
  const figure = (
    await page.getByRole("heading", { name: "Net outflow, by the pool's ledger" }).locator("+ span").innerText()
  ).replace(/[^\d.]/g, "");
  const other = await page
    .getByRole("heading", { name: "Outstanding, by the engine's accounts" })
    .locator("+ span")
    .innerText();
  assert.equal(Number(figure), Number(report.net_outflow));
  assert.equal(other.replace(/[^\d.]/g, ""), figure);
  await page.getByText("Every account adds up").waitFor();
  await page.getByRole("button", { name: "Run the job now" }).click();
  await confirm(page, "Run bonus-reconcile");
  await page.getByText("The reconciliation has run.").first().waitFor();
}

async function openWallet(page: Page, address: string): Promise<void> {
  await tab(page, "Wallets").click();
  await page.getByLabel("Find a wallet").fill(address);
  await page.getByRole("table", { name: "Bonuses of wallets" }).getByRole("link").first().click();
  await page.getByText(address, { exact: true }).waitFor();
}

async function freezeAndRecall(page: Page, admin: Client, address: string): Promise<void> {
  await openWallet(page, address);
  await page.getByRole("button", { name: "Freeze", exact: true }).click();
  await press(page, /^Freeze 250 USDT of 0x/);
  await dialogOf(page).getByText("Give a reason first").waitFor();
  await dialogOf(page).getByLabel("Reason").fill("several accounts");
  await confirm(page, /^Freeze 250 USDT of 0x/);
  await page.getByText("several accounts").waitFor();
  assert.equal((await admin.bonusAdmin.account(address)).bonuses[0]?.status, "frozen");
  await page.getByRole("button", { name: "Recall", exact: true }).click();
  await dialogOf(page).getByLabel("Reason").fill("looked at");
  await takePicture(page, "bonus-recall");
  await confirm(page, /^Recall 250 USDT of 0x/);
  await page.getByText("It has ended.").waitFor();
  assert.equal(await factOf(page.getByRole("main"), "Back in the pool"), "250.000000 USDT");
  const ledger = page.getByRole("table", { name: /^The pool's ledger of bonus/ });
  await ledger.getByRole("row", { name: /Recalled 250\.000000 USDT/ }).waitFor();
}

async function flipWithdrawals(page: Page, trader: Client): Promise<void> {
  await go(page, "Kill switches");
  await page.getByRole("button", { name: "Pause withdrawals" }).click();
  await confirm(page, "Pause withdrawals of the whole platform");
  await page.getByText("Withdrawals are paused.").first().waitFor();
  await assert.rejects(trader.account.withdraw({ amount: "1" }), (refusal: unknown) => {
    assert.ok(refusal instanceof RequestRefused);
    assert.deepEqual([refusal.status, refusal.code], [503, "WITHDRAWALS_PAUSED"]);
    return true;
  });
  await page.getByRole("button", { name: "Resume withdrawals" }).click();
  await confirm(page, "Resume withdrawals of the whole platform");
  await page.getByText("Withdrawals are running.").first().waitFor();
}

describe("the bonus program and the other programs in the console", () => {
  const owner = ownerOfSuite();
  let baseUrl: string;
  before(async () => {
    ({ baseUrl } = await startQuietServer(owner));
    await pinPrices(baseUrl);
  });

  it("BON-13, BON-11, BON-10: an operator grants after a dry run, sees it reconcile, freezes, recalls and stops withdrawals", async (t) => {
    const page = await openPage(t, { baseUrl });
    const admin = await adminClient(baseUrl);
    const [fresh, taken, redeemer] = [newWallet(), newWallet(), newWallet()];
    await grantByApi(admin, [taken], "Before");
    await enterConsole(page);
    await grantBatch(page, admin, addressOf(fresh), addressOf(taken));
    const [code = ""] = await makeCodes(page);
    const trader = await asWallet(baseUrl, redeemer);
    assert.equal((await trader.bonus.redeem(code)).amount, "100.00");
    await page.reload();
    await page.getByText("1 of 2 codes").waitFor();
    await page.getByRole("button", { name: "Void unused" }).click();
    await confirm(page, "Void 1 unused code");
    await page.getByText("1 code ended.").waitFor();

    await holdPosition(baseUrl, trader);
    await openWallet(page, addressOf(redeemer));
    await page.getByText(/Recalling is refused while .* USDT of it are in margin/).waitFor();
    assert.ok(await page.getByRole("button", { name: "Recall", exact: true }).isDisabled());
    assert.match(await factOf(page.getByRole("main"), "Granted less the others"), /0\.000000 USDT/);

    await checkBooks(page, admin);
    await freezeAndRecall(page, admin, addressOf(fresh));
    await checkBooks(page, admin);
    await flipWithdrawals(page, trader);
  });

  it("BON-4: a grant whose answer is lost is done once, and the repetition says so", async (t) => {
    const page = await openPage(t, { baseUrl, tolerates: [/ERR_FAILED/] });
    const admin = await adminClient(baseUrl);
    const wallet = newWallet();
    await enterConsole(page);
    await dryRun(page, "Lost answer", [addressOf(wallet)]);
    let isLost = false;
    await page.route("**/api/v1/bonus/admin/grant-batch", async (route) => {
      if (isLost) return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Grant 250 USDT to 1 wallet" }).click();
    await press(page, "Grant 250 USDT to 1 wallet");
    await dialogOf(page).getByText("it is not known whether this was done").waitFor();
    await press(page, "Grant 250 USDT to 1 wallet");
    await page.getByText("This had been done before: shown is what came of it then.").waitFor();
    await page.getByText("250.00 USDT are with 1 wallet; none failed.").waitFor();
    const { items: batches } = await admin.bonusAdmin.batches();
    assert.equal(batches.filter(({ batch_name }) => batch_name === "Lost answer").length, 1);
  });

  it("BON-12: linked wallets are shown with reasons in words and frozen together", async (t) => {
    const page = await openPage(t, { baseUrl });
    const admin = await adminClient(baseUrl);
    const [sponsor, ...twins] = [newWallet(), newWallet(), newWallet()];
    await postJson(`${baseUrl}/api/v1/dev/faucet`, { address: sponsor.address, amount: "1000" });
    const payer = await asWallet(baseUrl, sponsor);
    await grantByApi(admin, twins, "Twins");
    for (const twin of twins) {
      await asWallet(baseUrl, twin);
      await payer.account.withdraw({ amount: "300", to: twin.address, request_id: `for-${twin.address}` });
    }
    const isLinked = async () => {
      // The list is cached; the job computes it again.
      await admin.dev.runJob("bonus-risk");
      const { clusters } = await admin.bonusAdmin.risk();
      return clusters.some(({ wallets }) => wallets.includes(addressOf(twins[0]!)));
    };
    await waitFor(isLinked, { what: "the twins to be linked", interval_ms: 1_000, timeout_ms: 90_000 });
    await enterConsole(page);
    await go(page, "Risk");
    // Those of the other tests have traded with each other; these two were paid by one wallet.
    const cluster = page
      .getByRole("region", { name: /2 linked wallets/ })
      .filter({ has: page.getByText(/^Both were paid by 0x.* on chain/) });
    await cluster.waitFor();
    await cluster.getByText(/^Both have signed in from/).waitFor();
    await takePicture(page, "risk");
    await cluster.getByRole("button", { name: "Freeze and recall 2 linked wallets (200 USDT)" }).click();
    assert.equal(await factOf(dialogOf(page), "Back to the pool at once"), "200.00 USDT");
    await dialogOf(page).getByLabel("Reason").fill("one person");
    await press(page, "Freeze and recall 2 linked wallets (200 USDT)");
    await dialogOf(page).getByRole("heading", { name: "2 linked wallets: 200.00 USDT are back in the pool" }).waitFor();
    await press(page, "Done");
    await cluster.getByText("None of their bonuses is running").waitFor();
    for (const twin of twins) {
      assert.equal((await admin.bonusAdmin.account(addressOf(twin))).bonuses[0]?.status, "recalled");
    }
  });

  it("WIRE-4, PTS-6: products, seasons and levels are checked, shown before and after, and sent once", async (t) => {
    const page = await openPage(t, { baseUrl });
    const admin = await adminClient(baseUrl);
    await enterConsole(page);
    await go(page, "Earn products");
    await page.getByRole("button", { name: "New product" }).first().click();
    const { serverTime } = await admin.market.serverTime();
    const inDays = (days: number) => new Date(serverTime + days * 86_400_000).toISOString().slice(0, 16);
    for (const [label, text] of [
      ["Name", "USDT 30 days"],
      ["Rate", "12"],
      ["Quota", "1,000,000"],
      ["Maximum for one saver", "50000"],
      ["Opens", inDays(1)],
      ["Closes; interest begins", inDays(8)],
    ] as const) {
      await dialogOf(page).getByLabel(label, { exact: true }).fill(text);
    }
    assert.equal(await factOf(dialogOf(page), "Interest owed at full quota"), "9,863.013698 USDT");
    await press(page, "Review");
    await confirm(page, "Create USDT 30 days for up to 1,000,000.00 USDT");
    const product = page.getByRole("region", { name: /^USDT 30 days/ });
    await product.getByText("Until then its parameters can be changed.").waitFor();
    await product.getByRole("button", { name: "Fund" }).click();
    await dialogOf(page).getByLabel("Interest to pay in").fill("1234.56");
    await press(page, "Review");
    await confirm(page, "Fund 1,234.56 USDT for USDT 30 days");
    await waitFor(async () => (await factOf(product, "Paid in")) === "1,234.56 USDT", { what: "the funding in sight" });
    const [made] = (await admin.earn.products()).products;
    assert.deepEqual([made?.total_quota, made?.annual_rate_bps], ["1000000000000", 1200]);

    await go(page, "Seasons");
    await page.getByRole("button", { name: "New season" }).click();
    const running = (await admin.points.epochBoard({ limit: 1 })).epoch_number;
    await dialogOf(page).getByLabel("Name").fill("First Light");
    await dialogOf(page).getByLabel("First epoch").fill(String(running));
    await dialogOf(page)
      .getByLabel("Last epoch, included")
      .fill(String(running - 1));
    await dialogOf(page).getByText("Not before its first epoch.").waitFor();
    await dialogOf(page)
      .getByLabel("Last epoch, included")
      .fill(String(running + 3));
    await dialogOf(page).getByLabel("Traders' pool").fill("1000000");
    await press(page, "Review");
    await confirm(page, "Create First Light for 1,000,000 tokens");
    await page
      .getByRole("region", { name: /^First Light/ })
      .getByText("epoch 1 of 4")
      .waitFor();

    await tab(page, "Levels").click();
    await page.getByLabel("L2 begins at").fill("900");
    await page.getByText("Above 1,000, where L1 begins.").waitFor();
    assert.ok(await page.getByRole("button", { name: "Review the change" }).isDisabled());
    await page.getByLabel("L2 begins at").fill("12,000");
    await page.getByRole("button", { name: "Review the change" }).click();
    assert.match(await factOf(dialogOf(page), "L1"), /1,000 – 9,999, weight 8\s+1,000 – 11,999, weight 8/);
    await confirm(page, "Change 2 lines of the levels");
    await page.getByText("Nothing is changed.").waitFor();
    assert.equal((await admin.points.levels())[2]?.points_min, 12_000);
  });

  it("every page is accessible in both themes", async (t) => {
    const page = await openPage(t, { baseUrl });
    await enterConsole(page);
    await page.getByText("Both sides agree").waitFor();
    await expectAccessibleInBothThemes(page);
    // Colours are the same everywhere, so the tabs are checked against the other rules in one theme.
    for (const name of BONUS_TABS) {
      await tab(page, name).click();
      await page.getByRole("tabpanel").getByRole("region").first().waitFor();
      await expectNoSeriousViolations(page);
    }
    await tab(page, "Wallets").click();
    await page.getByRole("table", { name: "Bonuses of wallets" }).getByRole("link").first().click();
    await page.getByText("Where the grant is").first().waitFor();
    await expectNoSeriousViolations(page);
    await go(page, "Seasons");
    for (const name of POINTS_TABS) {
      await tab(page, name).click();
      await page.getByRole("tabpanel").getByRole("region").first().waitFor();
      await expectNoSeriousViolations(page);
    }
    await go(page, "Earn products");
    await page.getByRole("button", { name: "Fund" }).waitFor();
    await expectAccessibleInBothThemes(page);
    await page.getByRole("button", { name: "New product" }).click();
    await expectNoSeriousViolations(page);
    await page.keyboard.press("Escape");
    await go(page, "Risk");
    await page
      .getByRole("region", { name: /linked wallets/ })
      .or(page.getByText("No linked wallets"))
      .first()
      .waitFor();
    await expectAccessibleInBothThemes(page);
  });

  it("on a phone nothing is wider than the screen, and a wallet can be granted a bonus", async (t) => {
    const page = await openPage(t, { baseUrl, on: "phone" });
    await enterConsole(page);
    await page.getByText("Both sides agree").waitFor();
    await noSidewaysScroll(page);
    await dryRun(page, "From the road", [addressOf(newWallet())]);
    await noSidewaysScroll(page);
    await page.getByRole("button", { name: "Grant 250 USDT to 1 wallet" }).click();
    await noSidewaysScroll(page);
    await takePicture(page, "bonus-phone");
    await confirm(page, "Grant 250 USDT to 1 wallet");
    await page.getByText("250.00 USDT are with 1 wallet; none failed.").waitFor();
    for (const name of BONUS_TABS) {
      await tab(page, name).click();
      await page.getByRole("tabpanel").waitFor();
      await noSidewaysScroll(page);
    }
    for (const name of PAGES) {
      await page.getByRole("button", { name: /^Console:/ }).click();
      await page.getByRole("menuitem", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
      await noSidewaysScroll(page);
    }
    await page.getByRole("button", { name: /^Console:/ }).click();
    await page.getByRole("menuitem", { name: "Seasons", exact: true }).click();
    for (const name of POINTS_TABS) {
      await tab(page, name).click();
      await page.getByRole("tabpanel").getByRole("region").first().waitFor();
      await noSidewaysScroll(page);
    }
  });
});
