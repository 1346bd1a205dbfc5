import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { sql } from "kysely";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { DAY_ms, MINUTE_ms } from "../kernel/dates.ts";
import { openTestIdentity, TEST_ORIGIN, type TestIdentity } from "./testing.ts";

let fixture: TestIdentity;
before(async () => {
  fixture = await openTestIdentity();
});
after(() => fixture.close());
beforeEach(() => sql`delete from wallet`.execute(fixture.db));

type Account = ReturnType<typeof privateKeyToAccount>;
const newAccount = (): Account => privateKeyToAccount(generatePrivateKey());
const lower = ({ address }: Account) => address.toLowerCase();

async function signIn(account: Account): Promise<void> {
  const { identity } = fixture;
  const { message_template: message } = await identity.nonces.issue(account.address);
  await identity.walletSignIn.login({ message, signature: await account.signMessage({ message }), ...TEST_ORIGIN });
}

async function knownWallets(): Promise<{ address: string; first_ms: number }[]> {
  const rows = await fixture.db.selectFrom("wallet").selectAll().execute();
  return rows.map(({ address, first_sign_in_at }) => ({ address, first_ms: first_sign_in_at.getTime() }));
}

const sweep = (holdings: Parameters<TestIdentity["identity"]["walletSweep"]["run"]>[0] = []) =>
  fixture.identity.walletSweep.run(holdings);

test("SEC-11: a wallet that has left nothing behind is forgotten after 30 days, but for its first sign-in", async () => {
  const account = newAccount();
  const first_ms = fixture.clock.now();
  await signIn(account);
  fixture.clock.advance(30 * DAY_ms - MINUTE_ms);
  assert.deepEqual(await sweep(), { forgotten: 0, kept: 0 });
  fixture.clock.advance(MINUTE_ms);
  assert.deepEqual(await sweep(), { forgotten: 1, kept: 0 });
  assert.deepEqual(await knownWallets(), []);
  // It comes back: its first sign-in is the old one, also if it is forgotten and comes back again.
  for (let times = 0; times < 2; times += 1) {
    await signIn(account);
    assert.deepEqual(await knownWallets(), [{ address: lower(account), first_ms }]);
    fixture.clock.advance(31 * DAY_ms);
    assert.deepEqual(await sweep(), { forgotten: 1, kept: 0 });
  }
});

test("SEC-11: whoever holds something stays and is asked about once; modules remove what they have of the others", async () => {
  const [holder, keyed, stranger] = [newAccount(), newAccount(), newAccount()];
  for (const account of [holder, keyed, stranger]) await signIn(account);
  await fixture.identity.apiKeys.create({ wallet: lower(keyed), label: "bot", permissions: ["READ"] }, TEST_ORIGIN);
  fixture.clock.advance(31 * DAY_ms);
  const [asked, gone]: string[][] = [[], []];
  const holding = {
    keeps: async (_tx: unknown, addresses: readonly string[]) => {
      asked!.push(...addresses);
      return addresses.filter((address) => address === lower(holder));
    },
    forget: async (_tx: unknown, addresses: readonly string[]) => void gone!.push(...addresses),
  };
  assert.deepEqual(await sweep([holding]), { forgotten: 1, kept: 2 });
  assert.deepEqual(gone, [lower(stranger)]);
  assert.equal(asked!.length, 3);
  assert.deepEqual(await sweep([holding]), { forgotten: 0, kept: 0 });
  assert.equal(asked!.length, 3);
  const left = (await knownWallets()).map(({ address }) => address);
  assert.deepEqual(left.toSorted(), [lower(holder), lower(keyed)].toSorted());
});

test("SEC-11: a wallet whose session is still renewed is not forgotten", async () => {
  const account = newAccount();
  const { identity } = fixture;
  const { message_template: message } = await identity.nonces.issue(account.address);
  const signature = await account.signMessage({ message });
  let { refresh_token } = await identity.walletSignIn.login({ message, signature, ...TEST_ORIGIN });
  for (let days = 0; days < 45; days += 15) {
    fixture.clock.advance(15 * DAY_ms);
    ({ refresh_token } = await identity.sessions.refresh(refresh_token, TEST_ORIGIN));
  }
  assert.deepEqual(await sweep(), { forgotten: 0, kept: 0 });
  fixture.clock.advance(31 * DAY_ms);
  assert.deepEqual(await sweep(), { forgotten: 1, kept: 0 });
});

test("SEC-11: many wallets go in batches, and a run that fails half-way goes on", async () => {
  await sql`
    insert into wallet (address, first_sign_in_at, last_sign_in_at)
    select '0x' || lpad(to_hex(number), 40, '0'), ${new Date(fixture.clock.now())}, ${new Date(fixture.clock.now())}
    from generate_series(1, 1200) as number`.execute(fixture.db);
  fixture.clock.advance(31 * DAY_ms);
  let batches = 0;
  const failing = {
    forget: async () => {
      batches += 1;
      if (batches === 2) throw new Error("no");
    },
  };
  await assert.rejects(sweep([failing]), /no/);
  assert.equal((await knownWallets()).length, 700);
  assert.deepEqual(await sweep(), { forgotten: 700, kept: 0 });
});
