import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { RULES_WITH_FAIR_MARKETS } from "@bourse/engine";
import { sql } from "kysely";
import { migrations } from "../compose/migrations.ts";
import type { Exchange } from "../exchange/index.ts";
import type { Database } from "../kernel/database/database.ts";
import { openTestDatabase } from "../kernel/database/testing.ts";
import { walletsInDebt } from "./grants/issue.ts";
import type { Assessment } from "./risk/assessments.ts";
import { riskJob } from "./risk/jobs.ts";

const BEFORE = RULES_WITH_FAIR_MARKETS - 1;
const [DEBTOR, OTHER] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`];

/** Account 1 owes five, account 2 has five. */
const exchangeOf = (rulesVersion: number) => {
  const accounts = { isAccount: () => true, principal: (account: number) => (account === 1 ? -5 : 5) };
  return { engine: { state: { rulesVersion, accounts } } } as unknown as Exchange;
};

describe("the bonus program of an exchange that stays with rules version 4", () => {
  let database: Database;
  before(async () => {
    database = await openTestDatabase(migrations);
  });
  after(() => database.close());

  it("BON-15: grants on a debt as ever; from version 5 on it does not", () => {
    const directory = { numberOf: (address: string) => (address === DEBTOR ? 1 : 2) };
    const inDebt = (version: number) => [...walletsInDebt(exchangeOf(version), directory, [DEBTOR, OTHER])];
    assert.deepEqual([inDebt(BEFORE), inDebt(RULES_WITH_FAIR_MARKETS)], [[], [DEBTOR]]);
  });

  it("BON-12: lists linked wallets and holds nothing; from version 5 on their gains wait for review", async () => {
    const wallets = [DEBTOR, OTHER].map((address, place) => ({ address, account: place + 1 }));
    const links = [{ wallets, score: 90, gains_micros: [0n, 7_000_000n] }];
    const assessment = { links, wallets: 2, generated_ms: Date.UTC(2026, 5, 1), funding_block: null };
    const assessments = { complete: async () => ({ ...assessment, isFundingCurrent: true }) as unknown as Assessment };
    const run = async (version: number) => {
      const job = riskJob({ assessments, database, exchange: exchangeOf(version) });
      const report = (await job.run({} as never)) as { readonly listed: number; readonly held: number };
      const { rows } = await sql<{ account: number; amount: bigint }>`
        select account, amount_micros as amount from withdrawal_hold order by account`.execute(database.db);
      return { report, rows };
    };
    const now = await run(RULES_WITH_FAIR_MARKETS);
    assert.deepEqual(now.rows, [{ account: 2, amount: 7_000_000n }]);
    const before_ = await run(BEFORE);
    assert.deepEqual(before_.rows, []);
    assert.deepEqual(
      [now, before_].map(({ report }) => [report.listed, report.held]),
      [
        [1, 1],
        [1, 0],
      ],
    );
  });
});
