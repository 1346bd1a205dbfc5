/** For tests of payments: an exchange whose fee account has money, and a chain with the contracts. */
import { testUsdtAbi, vaultAbi } from "@bourse/contracts";
import { BUY, definitionOf, FIRST_MARKETS, PLAIN_ORDER, SELL, type Side } from "@bourse/engine";
import { type Address, maxUint256, type PrivateKeyAccount, stringToHex } from "viem";
import { Operator } from "../../../chain/operator/operator.ts";
import { deployer, signerOn } from "../../../chain/testing/chains.ts";
import { migrations } from "../../../compose/migrations.ts";
import { connectTables, createMemoryExchange } from "../../../exchange/testing/memory-exchange.ts";
import { createAuditLog } from "../../../kernel/audit/audit-log.ts";
import { openTestDatabase } from "../../../kernel/database/testing.ts";
import { PageCursors } from "../../../kernel/page-cursor.ts";
import { seededRandom } from "../../../kernel/random.ts";
import { RebateSync } from "../../../referral/rebate-sync.ts";
import { OPERATOR_KEY, openReferralScene } from "../../../referral/testing/referral-scene.ts";
import { projectWallet } from "../../../wallet/projection.ts";
import { directDeposits } from "../../../wallet/testing.ts";
import { BrokerBooks } from "../../testing/books.ts";
import { PayoutBatches } from "../batches.ts";
import type { PayoutPaymentsOptions } from "../payments.ts";
import { projectPayouts } from "../projection.ts";
import { PayoutBooks, payeeAddress } from "./payout-books.ts";

const VAULT_MONEY_micros = 10n ** 13n;
const PRICE_ticks = 600_000;

const order = (account: number, side: Side, lots: number) => ({
  ...PLAIN_ORDER,
  account,
  market: 0,
  side,
  ticks: PRICE_ticks,
  lots,
});

export async function createPaymentBench() {
  const scene = await openReferralScene();
  const { clock, chain, client, contracts, contract } = scene;
  const random = seededRandom("payments");
  const database = await openTestDatabase(migrations);
  const exchange = createMemoryExchange({ clock });
  const connected = await connectTables({ database, clock, exchange }, [projectWallet, projectPayouts]);
  const { projector, dispatcher, engineRequests, directory } = connected;
  const audit = createAuditLog({ clock });
  const deposits = directDeposits({ database, clock, engineRequests, directory });
  for (const market of FIRST_MARKETS)
    await exchange.submit({ kind: "add_market", definition: definitionOf(market) }, true);
  await exchange.submit({ kind: "set_price", market: 0, indexTicks: PRICE_ticks, markTicks: PRICE_ticks }, true);
  const traders: number[] = [];
  for (const number of [1, 2]) {
    traders.push((await deposits.credit(payeeAddress(900_000 + number), 10 ** 13, `trader ${number}`)).account);
  }

  const bank = signerOn(chain);
  const token = { address: contracts.usdt, abi: testUsdtAbi } as const;
  const vault = { address: contracts.vault, abi: vaultAbi } as const;
  await scene.mint(deployer.address, VAULT_MONEY_micros);
  await bank.writeContract({ ...token, functionName: "approve", args: [contracts.vault, maxUint256] });
  const purpose = stringToHex("test", { size: 32 });
  await bank.writeContract({ ...vault, functionName: "contribute", args: [purpose, VAULT_MONEY_micros] });

  const brokers = new BrokerBooks(database);
  /** The dependencies of payments, as a process that has just started has them. */
  function options(): PayoutPaymentsOptions {
    const operator = new Operator({ client, database, clock, key: OPERATOR_KEY });
    const rebates = new RebateSync({ database, clock, client, operator, contract, addresses: contracts });
    const log = { error: () => undefined };
    return { database, clock, log, audit, engineRequests, client, operator, contracts, rebates };
  }

  return {
    scene,
    database,
    exchange,
    projector,
    dispatcher,
    brokers,
    books: new PayoutBooks(brokers.db),
    batches: new PayoutBatches({
      database,
      clock,
      random,
      audit,
      engineRequests,
      cursors: new PageCursors(Buffer.alloc(32)),
    }),
    options,
    audit,
    /** Fills the fee account: 126 USDT for 3 BTC at 60,000, or the amount of other fee tiers. */
    async earnFees(lots = 3_000) {
      const [maker, taker] = traders;
      if (maker === undefined || taker === undefined) throw new Error("nobody trades");
      await exchange.submit(order(maker, SELL, lots), true);
      await exchange.submit(order(taker, BUY, lots), true);
      // Closes the position again, so that positions do not grow.
      await exchange.submit(order(taker, SELL, lots), true);
      await exchange.submit(order(maker, BUY, lots), true);
      await projector.waitForAll(10_000);
    },
    feeAccount: (): bigint => BigInt(exchange.engine.state.totals.feeAccount_micros),
    paidOut: (): bigint => exchange.engine.state.totals.payouts_micros,
    vaultTokens: () => scene.tokensOf(contracts.vault),
    credited: async (payee: string): Promise<bigint> => (await contract.userRebate(payee as Address)).credited,
    /** A payment outside the platform. */
    transfer: (payer: PrivateKeyAccount, to: string, amount: bigint) => {
      const call = { ...token, functionName: "transfer", args: [to as Address, amount] } as const;
      return scene.mined(signerOn(chain, payer).writeContract(call));
    },
    pauseVault: (isPaused: boolean) =>
      scene.mined(bank.writeContract({ ...vault, functionName: "setPaymentsPaused", args: [isPaused] })),
    async close() {
      await dispatcher.stop();
      await exchange.close();
      await projector.stop();
      await database.close();
      await scene.close();
    },
  };
}

export type PaymentBench = Awaited<ReturnType<typeof createPaymentBench>>;
