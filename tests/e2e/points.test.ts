import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Client, createClient } from "@bourse/api/client";
import type { Page } from "playwright-core";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { expectNoSeriousViolations, noSidewaysScroll, openPage, takePicture } from "../support/browser.ts";
import type { RunningServer } from "../support/server.ts";
import { pinPrices, postJson, signIn, TRADING_ENV } from "../support/traders.ts";
import { startQuietServer } from "../support/visitors.ts";

const DAY_ms = 86_400_000;
const POOL = 1_000_000;
/**
 * Caused on purpose: a clock that moves by weeks expires tokens, and lists have to be computed before they are shown.
 */
const TOLERATED = [/status of 401/, /status(?: of)? 503.*\/points\//];

async function keyOf(page: Page): Promise<PrivateKeyAccount> {
  const kept = await page.evaluate<string | null>("localStorage.getItem('bourse.wallet')");
  const { key } = JSON.parse(kept ?? "{}") as { key: { private_key: `0x${string}` } };
  return privateKeyToAccount(key.private_key);
}

async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNoSeriousViolations(page);
  }
  await page.emulateMedia({ colorScheme: "dark" });
}

describe("the points page", () => {
  let server: RunningServer;

  async function adminClient(): Promise<Client> {
    const { baseUrl } = server;
    const { access_token } = await createClient({ baseUrl }).auth.staffLogin("admin", TRADING_ENV.ADMIN_PASSWORD);
    return createClient({ baseUrl, accessToken: () => access_token });
  }

  const runJob = (name: string) => postJson(`${server.baseUrl}/api/v1/dev/jobs/${name}/run`, {});

  /** A season of two epochs, of which the first is the current one. Returns the current epoch. */
  async function startSeason(): Promise<number> {
    const { epoch_number } = await createClient({ baseUrl: server.baseUrl }).points.epochBoard();
    await (await adminClient()).pointsAdmin.createSeason({
      label: "Season of the tests",
      start_epoch: epoch_number,
      end_epoch: epoch_number + 1,
      user_pool_tokens: POOL,
      mm_pool_tokens: 0,
    });
    await runJob("season");
    return epoch_number;
  }

  /** 60,000 USDT bought at 0.05 % are a fee of 30: 300 points; the maker's 0.02 % are 12 × 10 × 1.5 = 180. */
  async function trade(taker: PrivateKeyAccount): Promise<PrivateKeyAccount> {
    const { baseUrl } = server;
    const maker = privateKeyToAccount(generatePrivateKey());
    for (const { address } of [taker, maker]) {
      await postJson(`${baseUrl}/api/v1/dev/faucet`, { address, amount: "100000" });
    }
    const order = async (wallet: PrivateKeyAccount, side: "BUY" | "SELL", time_in_force: "GTC" | "IOC") => {
      const body = { symbol: "BTCUSDT", type: "LIMIT", price: "60000", quantity: "1", side, time_in_force };
      await postJson(`${baseUrl}/orders`, body, await signIn(baseUrl, wallet));
    };
    await order(maker, "SELL", "GTC");
    await order(taker, "BUY", "IOC");
    return maker;
  }

  it("PTS-3 to PTS-6: a trade scores, is ranked, climbs the ladder, is projected, and is proved after the snapshot", async (t) => {
    server = await startQuietServer(t);
    await pinPrices(server.baseUrl);
    const page = await openPage(t, {
      baseUrl: server.baseUrl,
      tolerates: TOLERATED,
      context: { colorScheme: "dark" },
    });
    const epoch = await startSeason();
    await seeSignedOut(page);
    await page.getByRole("banner").getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Try it with a burner wallet" }).click();
    await page.getByText("No points yet").waitFor();

    const wallet = await keyOf(page);
    await trade(wallet);
    await page.reload();
    // The lists are made from what is written.
    await page.getByText("300.00").first().waitFor();
    await runJob("points-refresh");
    await page.reload();
    await seeScored(page, wallet.address.toLowerCase());
    await seeOnPhone(page);
    await seeSnapshot(page, epoch);
  });

  async function seeSignedOut(page: Page): Promise<void> {
    await page.goto("/app/points");
    await page.getByRole("heading", { name: /Season of the tests/ }).waitFor();
    await page.getByText("epoch 1 of 2").waitFor();
    await page.getByRole("table", { name: "Levels of points" }).getByText("L5").waitFor();
    await page.getByText("No wallet has scored here yet").waitFor();
    await page.getByText("You are not signed in").waitFor();
    await expectAccessible(page);
  }

  async function seeScored(page: Page, address: string): Promise<void> {
    const own = page.getByRole("region", { name: "Your points" });
    await own.getByText("300.00").first().waitFor();
    await own.getByText("rank 1, the top").first().waitFor();

    await page.getByText("300.00 of 1,000 points").waitFor();
    const ladder = page.getByRole("table", { name: "Levels of points" });
    await ladder.getByRole("row", { name: /^L0 you/ }).waitFor();
    await ladder.getByRole("row", { name: /^L1 1,000 8 700\.00/ }).waitFor();

    // 300 and 180 points, both of weight 4: 300 of 480 of a million.
    const projection = page.getByRole("region", { name: "If the season ended now" });
    await projection.getByText("625,000", { exact: true }).waitFor();
    await projection.getByText("62.50 %").waitFor();

    const daily = page.getByRole("table", { name: "Daily leaderboard" });
    await daily.getByRole("row", { name: /^1 .*you L0 300\.00/ }).waitFor();
    await daily.getByRole("row", { name: /^2 .*180\.00/ }).waitFor();
    await page.getByRole("button", { name: "To my rank 1" }).waitFor();
    await page.getByRole("tab", { name: "Epoch" }).click();
    await page
      .getByRole("table", { name: "Epoch leaderboard" })
      .getByRole("row", { name: /^1 .*you/ })
      .waitFor();

    const line = page.getByRole("table", { name: "Your points, line by line" }).getByRole("row").nth(1);
    await line.getByText("+300.00").waitFor();
    await line.getByText("30.00 USDT of fee × 10").waitFor();
    await line.getByText("version 1").waitFor();
    assert.match((await line.getByRole("link").getAttribute("href")) ?? "", /\/app\/trade\/BTCUSDT$/);
    await expectAccessible(page);
    await takePicture(page, "points");
    assert.equal(await page.getByText(address.slice(0, 6)).first().isVisible(), true);
  }

  async function seeOnPhone(page: Page): Promise<void> {
    await page.setViewportSize({ width: 390, height: 844 });
    await noSidewaysScroll(page);
    await expectAccessible(page);
    await takePicture(page, "points-phone");
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  /** After both epochs: the snapshot fixes every wallet's allocation, under a root that the browser checks. */
  async function seeSnapshot(page: Page, epoch: number): Promise<void> {
    const { baseUrl } = server;
    const [season] = await createClient({ baseUrl }).points.seasons();
    assert.ok(season?.snapshot_at);
    await postJson(`${baseUrl}/api/v1/dev/clock`, { now: Date.parse(season.snapshot_at) + DAY_ms });
    await runJob("season");
    await page.reload();
    const past = page.getByRole("region", { name: "Seasons whose shares are fixed" });
    await past.getByText("625,000").waitFor();
    await past.getByRole("button", { name: "Check the proof" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The proof is valid").waitFor();
    await dialog.getByText("Published root of season 1").waitFor();
    await expectAccessible(page);
    await takePicture(page, "points-proof");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });

    await page.getByRole("tab", { name: "Epoch" }).click();
    await page.getByLabel("Epoch of the list").selectOption(String(epoch));
    await page.getByText(`Epoch ${epoch}, 2 wallets. Final.`).waitFor();
    await page
      .getByRole("table", { name: "Epoch leaderboard" })
      .getByRole("row", { name: /^1 .*you/ })
      .waitFor();
  }
});
