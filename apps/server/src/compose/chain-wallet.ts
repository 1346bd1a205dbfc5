import { type ChainSystem, OperatorMoney } from "../chain/index.ts";
import { Faucet } from "../dev/index.ts";
import { type AccountDirectory, type Exchange, FUND_SEED_micros, type Projector } from "../exchange/index.ts";
import type { EngineRequests } from "../kernel/engine-requests/engine-requests.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { Random } from "../kernel/random.ts";
import type { Check } from "../kernel/readiness.ts";
import {
  type Deposits,
  Payments,
  payInsuranceSeed,
  type Switches,
  VaultListener,
  type WalletOptions,
  type WithdrawalHolds,
  walletCheck,
  watchWallet,
} from "../wallet/index.ts";

export interface ChainWalletOptions extends WalletOptions {
  readonly engineRequests: EngineRequests;
  readonly chain: ChainSystem;
  readonly exchange: Exchange;
  readonly projector: Pick<Projector, "waitForAll">;
  readonly directory: AccountDirectory;
  readonly deposits: Deposits;
  readonly switches: Switches;
  readonly holds: WithdrawalHolds;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Everything that moves money between the Vault and the futures accounts. */
export interface ChainWallet {
  readonly payments: Payments;
  readonly faucet: Faucet;
  /** The operator's own tokens. */
  readonly money: OperatorMoney;
  readonly check: Check;
}

/** Connects deposits, withdrawals and the fund's seed to the chain. */
export function openChainWallet(options: ChainWalletOptions): ChainWallet {
  const { chain, exchange, projector, directory, engineRequests, log, metrics, database, random } = options;
  const { client, operator, contracts, follower } = chain;
  const money = new OperatorMoney({ client, operator, usdt: contracts.usdt, random });
  const payments = new Payments({
    ...options,
    operator,
    vault: contracts.vault,
    projected: () => projector.waitForAll(),
    onError: (err) => log.error({ err }, "withdrawals could not be sent"),
  });
  const onIgnored = (
    reason: string,
    { name, transactionHash, logIndex }: { name: string; transactionHash: string; logIndex: number },
  ) => log.error({ name, transactionHash, logIndex, reason }, "an event of the vault was passed over");
  chain.follow(new VaultListener({ ...options, onIgnored }));
  chain.onApplied(() => {
    engineRequests.notify();
    directory.load().catch((err: unknown) => log.error({ err }, "new accounts could not be read"));
  });
  chain.afterSync({ name: "withdrawals", run: () => payments.run() });
  const seed = { client, contracts, money, seed_micros: BigInt(FUND_SEED_micros) };
  chain.afterSync({ name: "insurance_seed", run: async () => (await payInsuranceSeed(seed)) ?? null });
  watchWallet(metrics, database);
  const faucet = new Faucet({ ...options, client, operator, follower, money, contracts, exchange });
  return { payments, faucet, money, check: walletCheck(database) };
}
