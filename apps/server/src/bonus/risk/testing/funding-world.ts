import type { TestContext } from "node:test";
import { testUsdtAbi, vaultAbi } from "@bourse/contracts";
import { sql } from "kysely";
import { type Address, maxUint256, type PrivateKeyAccount, parseEther } from "viem";
import { clientOf, deployer, signerOn } from "../../../chain/testing/chains.ts";
import { openChainWorld } from "../../../chain/testing/world.ts";
import type { TestDatabase } from "../../../kernel/database/testing.ts";
import { platformAddresses } from "../sources.ts";
import { TransferScan } from "../transfer-scan.ts";

export const lower = ({ address }: { readonly address: string }) => address.toLowerCase();

/** A chain with the token, on which wallets pay each other, and a database with bonus wallets. */
export async function openFundingWorld(t: TestContext, database: TestDatabase) {
  const world = await openChainWorld(t);
  const { chain, clock, contracts } = world;
  const token = { address: contracts.usdt, abi: testUsdtAbi } as const;
  const platform = platformAddresses({ contracts, operator: deployer, settings: { bonusPoolAddress: undefined } });
  const scanWith = (client: ReturnType<typeof clientOf>) =>
    new TransferScan({ client, contracts, database, clock, platform });

  return {
    ...world,
    platform,
    scan: scanWith(clientOf(chain)),
    scanWith,
    /** Gives the wallet gas and tokens from the platform. */
    async rich(wallet: PrivateKeyAccount): Promise<void> {
      await signerOn(chain).sendTransaction({ to: wallet.address, value: parseEther("10") });
      await signerOn(chain).writeContract({ ...token, functionName: "mint", args: [wallet.address, 10n ** 12n] });
      const approve = { ...token, functionName: "approve", args: [contracts.vault, maxUint256] } as const;
      await signerOn(chain, wallet).writeContract(approve);
    },
    send: (from: PrivateKeyAccount, to: Address, amount: bigint) =>
      signerOn(chain, from).writeContract({ ...token, functionName: "transfer", args: [to, amount] }),
    depositFor: (from: PrivateKeyAccount, to: Address, amount: bigint) =>
      signerOn(chain, from).writeContract({
        address: contracts.vault,
        abi: vaultAbi,
        functionName: "depositFor",
        args: [to, amount],
      }),
    grant: (address: string, campaign?: number) => insertBonus(database, address, clock.now(), campaign),
    async funding(): Promise<string[]> {
      const { rows } = await sql<{ line: string }>`
        select kind || ' ' || source || ' ' || address || ' ' || amount_micros as line
        from bonus_funding order by 1`.execute(database.db);
      return rows.map(({ line }) => line);
    },
  };
}

export type FundingWorld = Awaited<ReturnType<typeof openFundingWorld>>;

/** A campaign and a batch, the minimum that bonuses need. */
export async function emptyBooks({ db }: TestDatabase): Promise<void> {
  await sql`truncate bonus_campaign, bonus_batch, bonus_account, bonus_pool_line, bonus_funding, bonus_code
    restart identity cascade`.execute(db);
  await sql`delete from kernel_state where key like 'bonus-risk%'`.execute(db);
  await newCampaign({ db });
  await sql`
    insert into bonus_batch (id, campaign_id, batch_name, grant_tier, per_address_micros, max_leverage, operator_addr,
      created_count, failed_count, created_by, created_at)
    values ('3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44', 1, 'batch', 'COMMUNITY', 1, 1, ${`0x${"11".repeat(20)}`}, 0, 0, 'test',
      now())`.execute(db);
}

export async function newCampaign({ db }: Pick<TestDatabase, "db">): Promise<void> {
  await sql`
    insert into bonus_campaign (name, amount_micros, validity_days, redemption_closes_at, created_at, updated_at)
    values ('campaign', 1, 7, now() + interval '1 year', now(), now())`.execute(db);
}

/** A credited bonus of the campaign that the engine does not know. */
export async function insertBonus({ db }: TestDatabase, address: string, at_ms: number, campaign = 1): Promise<bigint> {
  const granted = new Date(at_ms).toISOString();
  const { rows } = await sql<{ id: bigint }>`
    insert into bonus_account (campaign_id, address, account, batch_id, amount_micros, max_leverage, grant_tier,
      granted_at, expires_at, status, is_credited)
    values (${campaign}, ${address}, (select coalesce(max(account), 0) + 1 from bonus_account),
      '3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44', 1000000, 10, 'COMMUNITY', ${granted}::timestamptz,
      ${granted}::timestamptz + interval '7 days', 'active', true)
    returning id`.execute(db);
  return rows[0]!.id;
}
