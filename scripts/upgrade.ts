// Raises the rules of a running exchange: `npm run upgrade`. With `--dry-run` it only shows what would have differed.
import { parseOptions, runCommand, UsageError } from "./support/command.ts";

const USAGE = `Usage: npm run upgrade [-- [--dry-run] [--version <number>] [--url <address>] [--reason <text>]]

  --dry-run   replays the last day of the log by the later rules and shows what would have differed in money
  --version   the rules version to change to; the newest that all processes can apply without it
  --url       the running exchange; http://127.0.0.1:$PORT without it (PORT is 3000 by default)
  --reason    for the audit log

Signs in with ADMIN_USERNAME ("admin" by default) and ADMIN_PASSWORD of the environment.`;

interface RulesVersion {
  readonly version: number;
  readonly newest: number;
  readonly possible: number;
}

interface Amounts {
  readonly now: string;
  readonly rehearsed: string;
  readonly difference: string;
}

interface Reply extends RulesVersion {
  readonly rehearsal: {
    readonly from_number: number;
    readonly commands: number;
    readonly since: string;
    readonly accounts_changed: number;
    readonly accounts: readonly (Amounts & { readonly account: number })[];
    readonly fee_account: Amounts;
  } | null;
}

/** The exchange has refused; its own words say why. */
class Refused extends Error {}

async function call<Answer>(url: string, path: string, token: string | undefined, body?: object): Promise<Answer> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const payload = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const reply = await fetch(new URL(path, url), { headers, ...payload }).catch((error: unknown) => {
    throw new Refused(`${url} does not answer: ${error instanceof Error ? error.message : String(error)}`);
  });
  const answer = (await reply.json()) as Answer & { readonly error?: string };
  if (!reply.ok) throw new Refused(`${path} answers ${reply.status}: ${answer.error ?? "no reason given"}`);
  return answer;
}

function showRehearsal({ rehearsal }: Reply): void {
  if (rehearsal === null) return;
  const { commands, from_number, since, accounts_changed, accounts, fee_account } = rehearsal;
  console.log(`${commands} commands since ${since} were replayed by the later rules (from command ${from_number} on).`);
  if (accounts_changed === 0) console.log("No account would have more or less money.");
  else
    console.log(`${accounts_changed} accounts would have more or less money (USDT; account 0 is the insurance fund):`);
  for (const { account, now, rehearsed, difference } of accounts) {
    console.log(
      `  account ${String(account).padEnd(10)} ${now.padStart(20)} → ${rehearsed.padStart(20)}  ${difference}`,
    );
  }
  console.log(`The fee account would have ${fee_account.rehearsed} instead of ${fee_account.now} USDT.`);
}

async function main(): Promise<number> {
  const { values } = parseOptions({
    options: {
      "dry-run": { type: "boolean", default: false },
      version: { type: "string" },
      url: { type: "string" },
      reason: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const { ADMIN_USERNAME = "admin", ADMIN_PASSWORD, PORT = "3000" } = process.env;
  if (ADMIN_PASSWORD === undefined) throw new UsageError("ADMIN_PASSWORD is not set");
  if (values.version !== undefined && !/^\d{1,6}$/.test(values.version)) throw new UsageError("--version is no number");
  const url = values.url ?? `http://127.0.0.1:${PORT}`;
  try {
    const credentials = { username: ADMIN_USERNAME, password: ADMIN_PASSWORD };
    const { access_token: token } = await call<{ access_token: string }>(
      url,
      "/api/v1/broker/auth/login",
      undefined,
      credentials,
    );
    const before = await call<RulesVersion>(url, "/api/v1/admin/rules-version", token);
    const version = Number(values.version ?? before.possible);
    if (values.version === undefined && version <= before.version) {
      console.log(`Rules version ${before.version} holds, and no later one is possible.`);
      return 0;
    }
    const reason = values.reason === undefined ? {} : { reason: values.reason };
    const request = { version, dry_run: values["dry-run"], ...reason };
    const reply = await call<Reply>(url, "/api/v1/admin/rules-version", token, request);
    showRehearsal(reply);
    console.log(
      values["dry-run"]
        ? `Nothing was changed: rules version ${reply.version} holds.`
        : `Rules version ${reply.version} holds from now on; before it was ${before.version}.`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(error.message);
    return 1;
  }
}

await runCommand(main, USAGE);
