import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Page, Request } from "playwright-core";
import {
  expectNoSeriousViolations,
  noSidewaysScroll,
  openPage,
  type PageOptions,
  PHONE,
  takePicture,
} from "../support/browser.ts";
import { startServer } from "../support/server.ts";

/** The scripts that a page loads before it draws the chart: what a trader waits for on a slow connection. */
const MAX_FIRST_SCRIPTS_BYTES = 300_000;
/** A name in the code of the chart's library, in any file of the bundle. */
const CHART_LIBRARY = "tv-lightweight-charts";

interface LoadedScript {
  readonly url: string;
  readonly size_bytes: number;
  readonly encoding: string | undefined;
  readonly hasChart: boolean;
}

/** Opens the address and returns the scripts that it loads, in the order of the requests. */
async function scriptsOf(page: Page, address: string): Promise<readonly LoadedScript[]> {
  const requests: Request[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") requests.push(request);
  });
  await page.goto(address, { waitUntil: "networkidle" });
  return Promise.all(
    requests.map(async (request) => {
      const response = await request.response();
      const { responseBodySize } = await request.sizes();
      return {
        url: request.url(),
        size_bytes: responseBodySize,
        encoding: response?.headers()["content-encoding"],
        hasChart: (await response?.text())?.includes(CHART_LIBRARY) ?? false,
      };
    }),
  );
}

describe("the pages of a server", () => {
  let baseUrl: string;
  before(async () => {
    ({ baseUrl } = await startServer({ env: { DEMO: "false" } }));
  });

  const appOf = (page: Page) => page.getByRole("navigation", { name: "Areas" }).filter({ visible: true });

  it("RUN-2: / leads to the web app, which starts with a market", async (t) => {
    const page = await openPage(t, { baseUrl });
    await page.goto("/");
    await page.waitForURL(/\/app\/trade\/[A-Z]+USDT$/);
    await appOf(page).waitFor();
    await takePicture(page, "app");
    await expectNoSeriousViolations(page);
    await noSidewaysScroll(page);
    await page.setViewportSize(PHONE);
    await appOf(page).waitFor();
    await noSidewaysScroll(page);
  });

  it("RUN-2: a partner's link keeps its code on the way to the app", async (t) => {
    const page = await openPage(t, { baseUrl });
    await page.goto("/?ref=CODE");
    await page.waitForURL(/\/app\/.*ref=CODE/);
  });

  it("RUN-2: every address of the app can be opened directly, on a phone too", async (t) => {
    const page = await openPage(t, { baseUrl, on: "phone" });
    const reply = await page.goto("/app/points");
    assert.equal(reply?.status(), 200);
    await appOf(page).waitFor();
    assert.equal(new URL(page.url()).pathname, "/app/points");
    await noSidewaysScroll(page);
  });

  it("RUN-2: a file that is not there is 404, not the app", async () => {
    const reply = await fetch(`${baseUrl}/app/assets/index-00000000.js`);
    assert.equal(reply.status, 404);
    assert.doesNotMatch(await reply.text(), /<html/);
  });

  it("SEC-9: every page has the app's policy, which blocks foreign scripts", async (t) => {
    const tolerates = [/Content Security Policy/];
    const page = await openPage(t, { baseUrl, tolerates });
    const reply = await page.goto("/app/");
    assert.match(reply?.headers()["content-security-policy"] ?? "", /default-src 'self';script-src 'self';/);
    await appOf(page).waitFor();
    const ran = await page.evaluate(`new Promise((resolve) => {
      const script = document.createElement("script");
      script.textContent = "window.wasInjected = true";
      document.body.append(script);
      document.body.insertAdjacentHTML("beforeend", "<img src='data:,nothing' onerror='window.wasInjected = true'>");
      setTimeout(() => resolve(window.wasInjected === true), 300);
    })`);
    assert.equal(ran, false);
  });

  it("RUN-2: what trading runs before the chart is small, and comes compressed", async (t) => {
    const context: PageOptions["context"] = { extraHTTPHeaders: { "accept-encoding": "gzip" } };
    const page = await openPage(t, { baseUrl, context });
    const scripts = await scriptsOf(page, "/app/trade");
    await appOf(page).waitFor();
    const chart = scripts.findIndex(({ hasChart }) => hasChart);
    const loaded = chart === -1 ? scripts : scripts.slice(0, chart);
    const main = loaded.filter(({ size_bytes }) => size_bytes > 10_000);
    assert.ok(main.length > 0 && main.every(({ encoding }) => encoding === "gzip"), JSON.stringify(loaded, null, 2));
    const total_bytes = loaded.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
    t.diagnostic(`scripts before the chart: ${total_bytes} bytes in ${loaded.length} files`);
    assert.ok(total_bytes < MAX_FIRST_SCRIPTS_BYTES, JSON.stringify(loaded, null, 2));
  });

  it("RUN-7: /docs is a browsable API page that loads nothing from outside", async (t) => {
    const page = await openPage(t, { baseUrl });
    await page.goto("/docs");
    await page.getByRole("heading", { name: "Bourse" }).first().waitFor();
    await page.getByText("Sign in with a wallet (EIP-4361)").first().waitFor();
    await takePicture(page, "docs");
  });
});
