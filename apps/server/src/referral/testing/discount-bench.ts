/** An exchange that follows the chain of a referral scene, for tests. */
import { sql } from "kysely";
import { connectOutbox, createMemoryExchange } from "../../exchange/testing/memory-exchange.ts";
import type { Migrations } from "../../kernel/database/migrations.ts";
import { openTestDatabase } from "../../kernel/database/testing.ts";
import { Discounts } from "../discounts.ts";
import { createReferralListener } from "../listener.ts";
import { referralTx } from "../tables.ts";
import { bytes32, openReferralScene, sceneMigrations } from "./referral-scene.ts";

const STATE_TABLES = [
  "referral_code",
  "referral_trader",
  "referral_affiliate",
  "referral_tier_terms",
  "referral_batch",
  "referral_credit",
  "referral_claim",
];

export async function openDiscountBench({ migrations = sceneMigrations }: { readonly migrations?: Migrations } = {}) {
  const scene = await openReferralScene();
  const { clock } = scene;
  const database = await openTestDatabase(migrations);
  const told: { account: number; discount_bps: number }[] = [];
  const exchange = createMemoryExchange({ clock });
  exchange.listen(({ command }) => {
    if (command.kind === "set_discount") told.push({ account: command.account, discount_bps: command.discount_bps });
  });
  const { outbox, dispatcher, engineRequests, directory } = connectOutbox({ database, clock, exchange });
  const discounts = new Discounts({ engineRequests, directory });
  directory.atOpening((tx, opened) => discounts.tellOpened(referralTx(tx), opened));
  const listener = createReferralListener(discounts);
  const indexer = scene.indexerOn(database, listener);
  dispatcher.start();
  let users = 0;
  const newUser = () => scene.user(++users);

  return {
    scene,
    database,
    exchange,
    outbox,
    dispatcher,
    engineRequests,
    directory,
    discounts,
    indexer,
    listener,
    /** Since the last `sync`. */
    told,
    newUser,
    discountOf: (account: number) => exchange.engine.state.accounts.discount_bps(account),
    /** Follows the chain, and returns the commands sent to the engine meanwhile. */
    async sync() {
      told.length = 0;
      await indexer.sync();
      await dispatcher.idle();
      return [...told];
    },
    /** The stored contract state. */
    async tables() {
      const contents: Record<string, unknown> = {};
      for (const name of STATE_TABLES) {
        const { rows } = await sql`select * from ${sql.table(name)} as one order by one`.execute(database.db);
        contents[name] = rows;
      }
      return contents;
    },
    /** A code of a new affiliate of that tier. */
    async newAffiliate(code: string, tier: number) {
      const affiliate = await newUser();
      await scene.registerCode(affiliate, bytes32(code));
      if (tier > 0) await scene.setTier(affiliate, tier);
      return affiliate;
    },
    async newTrader(code: string) {
      const trader = await newUser();
      await scene.useCode(trader, bytes32(code));
      return trader;
    },
    async close() {
      await dispatcher.stop();
      await exchange.close();
      await database.close();
      await scene.close();
    },
  };
}

export type DiscountBench = Awaited<ReturnType<typeof openDiscountBench>>;
