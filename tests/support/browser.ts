import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import axe, { type AxeResults } from "axe-core";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { findChromium } from "../../scripts/testing/needs.ts";
import { onCleanup } from "./cleanup.ts";

export const DESKTOP = { width: 1440, height: 900 } as const;
export const PHONE = { width: 390, height: 844 } as const;

export interface PageOptions {
  /** The server; addresses that begin with a slash are relative to it. */
  readonly baseUrl: string;
  readonly on?: "desktop" | "phone";
  /** What the test causes on purpose: complaints that match one of these are ignored. */
  readonly tolerates?: readonly RegExp[];
  readonly context?: BrowserContextOptions;
}

const DEVICES: Readonly<Record<"desktop" | "phone", BrowserContextOptions>> = {
  desktop: { viewport: DESKTOP },
  phone: { viewport: PHONE, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};

/** Pictures of the last run, for people. */
const picturesFolder = join(import.meta.dirname, "..", "..", ".cache", "pictures");

const LAUNCH_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** One browser for all tests of a file; it closes after the file's last test. */
let launched: Promise<Browser> | undefined;
after(async () => (await launched)?.close());

function launchBrowser(): Promise<Browser> {
  const found = findChromium(process.env);
  if (!found.isAvailable) throw new Error(found.reason);
  launched ??= chromium.launch({ executablePath: found.env["CHROME_PATH"] ?? "", args: LAUNCH_ARGUMENTS });
  return launched;
}

/** Records problems of the page that a user may not notice: errors, failed requests, and requests to other hosts. */
function noteComplaints(context: BrowserContext, baseUrl: string): readonly string[] {
  const complaints: string[] = [];
  const { host } = new URL(baseUrl);
  const noteForeign = (address: string): void => {
    const url = new URL(address);
    if (/^(?:http|ws)s?:$/.test(url.protocol) && url.host !== host) complaints.push(`request to ${address}`);
  };
  context.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => complaints.push(`error: ${error.error().stack ?? error.error().message}`));
  context.on("request", (request) => noteForeign(request.url()));
  context.on("response", (response) => {
    if (response.status() >= 500) complaints.push(`status ${response.status()} of ${response.url()}`);
  });
  context.on("page", (page) => page.on("websocket", (socket) => noteForeign(socket.url())));
  return complaints;
}

/** Saves a picture of the page in `.cache/pictures`. */
export async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(picturesFolder, { recursive: true });
  await page.screenshot({ path: join(picturesFolder, `${name}.png`) });
}

const asFileName = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 80);

/**
 * An empty page of a new browser context (no cookies, no storage, no cache), for one test. At the end of the test the
 * page is closed, and its complaints fail the test; a failed test leaves a picture.
 */
export async function openPage(t: TestContext, options: PageOptions): Promise<Page> {
  const browser = await launchBrowser();
  const context = await browser.newContext({
    baseURL: options.baseUrl,
    locale: "en-US",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    ...DEVICES[options.on ?? "desktop"],
    ...options.context,
  });
  const noted = noteComplaints(context, options.baseUrl);
  const page = await context.newPage();
  onCleanup(t, async () => {
    const complaints = noted.filter((text) => !options.tolerates?.some((pattern) => pattern.test(text)));
    // Missing in the types.
    const { passed } = t as TestContext & { readonly passed: boolean };
    const isFailed = !passed || complaints.length > 0;
    if (isFailed && !page.isClosed()) await takePicture(page, `failed-${asFileName(t.name)}`);
    await context.close();
    assert.deepEqual(complaints, [], "the page complained");
  });
  return page;
}

/** Checks the page against the rules of accessibility, as far as a program can; minor violations are ignored. */
export async function expectNoSeriousViolations(page: Page): Promise<void> {
  // Evaluated through the browser's debugger, which ignores the content security policy: the page stays as users get
  // it.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, { resultTypes: ["violations"] })`);
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const described = serious.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id} (${help}) at ${node.target.join(" ")}\n${node.failureSummary ?? ""}\n${node.html}`),
  );
  assert.equal(described.length, 0, `${page.url()}\n\n${described.join("\n\n")}`);
}

// Runs in the page. Overflow inside an element that scrolls by itself is allowed.
const FIND_OVERFLOW = `(() => {
  const root = document.documentElement;
  if (root.scrollWidth <= root.clientWidth) return [];
  const wide = [...document.body.querySelectorAll("*")].filter((it) => it.getBoundingClientRect().right > root.clientWidth);
  return ["the page is " + root.scrollWidth + " wide, the screen " + root.clientWidth].concat(
    wide.slice(0, 10).map((it) => it.outerHTML.slice(0, 160)),
  );
})()`;

/** Asserts that the page does not scroll sideways, which would look broken on a phone. */
export async function noSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate<string[]>(FIND_OVERFLOW);
  assert.equal(overflow.length, 0, `${page.url()}\n${overflow.join("\n")}`);
}
