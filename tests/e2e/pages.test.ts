import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { it, type TestContext } from "node:test";
import { chromium, type Page } from "playwright-core";
import { startServer } from "../support/server.ts";

/** Pictures of the last run, for a person to look at. */
const picturesFolder = join(import.meta.dirname, "..", "..", ".cache", "pictures");

interface Visit {
  readonly page: Page;
  readonly baseUrl: string;
  readonly complaints: string[];
  readonly foreignRequests: string[];
}

/** A server and a browser page that notes every complaint and every request to another origin. */
async function visit(t: TestContext): Promise<Visit> {
  const server = await startServer({ owner: t, env: { DEMO: "false" } });
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  t.after(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const complaints: string[] = [];
  const foreignRequests: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== server.baseUrl) foreignRequests.push(request.url());
  });
  mkdirSync(picturesFolder, { recursive: true });
  return { page, baseUrl: server.baseUrl, complaints, foreignRequests };
}

it("RUN-2: / leads to the web app, which shows the server's health", async (t) => {
  const { page, baseUrl, complaints, foreignRequests } = await visit(t);
  await page.goto(`${baseUrl}/`);
  assert.equal(new URL(page.url()).pathname, "/app/");
  await page.getByText("Everything is running").waitFor();
  await page.getByText("database").first().waitFor();
  await page.screenshot({ path: join(picturesFolder, "app.png") });
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  assert.equal(overflow, 0, "no sideways scrolling on a phone");
  assert.deepEqual(complaints, []);
  assert.deepEqual(foreignRequests, []);
});

it("RUN-7: /docs is a browsable API page that loads nothing from outside", async (t) => {
  const { page, baseUrl, complaints, foreignRequests } = await visit(t);
  await page.goto(`${baseUrl}/docs`);
  await page.getByRole("heading", { name: "Bourse" }).first().waitFor();
  await page.getByText("Sign in with a wallet (EIP-4361)").first().waitFor();
  await page.screenshot({ path: join(picturesFolder, "docs.png") });
  assert.deepEqual(complaints, []);
  assert.deepEqual(foreignRequests, []);
});
