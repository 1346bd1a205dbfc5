/** What browser tests need: a new user at the page, and an admin. */
import { after } from "node:test";
import { type Client, createClient } from "@bourse/api/client";
import type { Page } from "playwright-core";
import { expectNoSeriousViolations } from "./browser.ts";
import type { Owner } from "./cleanup.ts";
import { quickDatabase } from "./databases.ts";
import { type RunningServer, startServer } from "./server.ts";
import { TRADING_ENV } from "./traders.ts";

/** Owns what all tests of a suite share; to be called in the suite itself. */
export function ownerOfSuite(): Owner {
  const undo: (() => Promise<void>)[] = [];
  after(async () => {
    for (const each of undo.reverse()) await each();
  });
  return { after: (fn) => undo.push(fn) };
}

/** Long, because other suites run in parallel. */
const START_TIMEOUT_ms = 180_000;

/** An empty exchange that a suite's tests share. */
export async function startQuietServer(owner: Owner): Promise<RunningServer> {
  const env = { ...TRADING_ENV, ...(await quickDatabase(owner)) };
  return await startServer({ owner, env, timeout_ms: START_TIMEOUT_ms });
}

/** Signs the page in with a burner key that has money on the exchange and on the chain. Returns its address. */
export async function startWithBurner(page: Page): Promise<string> {
  await page.getByRole("banner").getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Try it with a burner wallet" }).click();
  await page.getByRole("button", { name: "Account" }).waitFor();
  const { name } = JSON.parse(await page.evaluate<string>("localStorage.getItem('bourse.session.wallet')")) as {
    readonly name: string;
  };
  return name;
}

/** Signs in for each call, because a moved clock expires tokens. */
export async function adminClient(baseUrl: string): Promise<Client> {
  const { access_token } = await createClient({ baseUrl }).auth.staffLogin("admin", TRADING_ENV.ADMIN_PASSWORD);
  return createClient({ baseUrl, accessToken: () => access_token });
}

/** Checks the current page in the dark and the light theme. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNoSeriousViolations(page);
  }
}
