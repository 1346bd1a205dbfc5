import { AccountDirectory, deliverTo, isSureOf, watchOutbox, watchTables } from "../../exchange/index.ts";
import { EngineRequests } from "../../kernel/engine-requests/engine-requests.ts";
import { OutboxDispatcher } from "../../kernel/outbox/dispatcher.ts";
import { createOutbox, type Outbox } from "../../kernel/outbox/outbox.ts";
import {
  Deposits,
  heldMoneyOf,
  Switches,
  WithdrawalHolds,
  WithdrawalReviews,
  Withdrawals,
} from "../../wallet/index.ts";
import { type ChainWallet, openChainWallet } from "../chain-wallet.ts";
import { EarlierSettings } from "../settings-in-log.ts";
import type { Host } from "./host.ts";
import { type ExchangeSystemOptions, reporter } from "./options.ts";

/** The commands that come from the database: accounts are opened and money moves by messages of the outbox. */
export interface Money {
  readonly outbox: Outbox;
  readonly dispatcher: OutboxDispatcher;
  readonly engineRequests: EngineRequests;
  readonly directory: AccountDirectory;
  readonly earlierSettings: EarlierSettings;
  readonly deposits: Deposits;
  readonly withdrawals: Withdrawals;
  readonly reviews: WithdrawalReviews;
  readonly switches: Switches;
  readonly onChain: ChainWallet;
}

/** Step 2: the outbox to the engine, and the directory of accounts. */
export async function openMoney(options: ExchangeSystemOptions, { exchange, projector }: Host): Promise<Money> {
  const { settings, database, clock, random, log, audit, metrics } = options;
  const dispatcher = new OutboxDispatcher({
    database,
    clock,
    deliver: deliverTo(exchange),
    isSure: isSureOf(exchange),
    onError: reporter(log)("the outbox could not be delivered"),
  });
  const outbox = createOutbox({ clock });
  const engineRequests = new EngineRequests({ database, outbox, dispatcher, exchange, projector, random });
  const directory = new AccountDirectory({ database, clock, engineRequests, exchange });
  await directory.load();
  const onError = reporter(log)("settings could not be noted; the next start goes on");
  const earlierSettings = new EarlierSettings({ database, clock, engineRequests, onError });
  const wallet = { database, clock, engineRequests, directory };
  const switches = new Switches({ database, clock, audit, pausedBySetting: settings.withdrawalsPaused });
  const deposits = new Deposits(wallet);
  const moneyOf = (account: number) => heldMoneyOf(exchange.engine, account);
  const holds = new WithdrawalHolds({ database, clock, moneyOf });
  const onChain = openChainWallet({ ...options, ...wallet, exchange, projector, deposits, switches, holds });
  const onHeld = () => onChain.payments.notify();
  const withdrawals = new Withdrawals({ ...wallet, random, switches, moneyOf, holds, onHeld });
  const reviews = new WithdrawalReviews({ ...wallet, audit, onHeld });
  watchOutbox(metrics, database, clock);
  watchTables(metrics, database);
  const programs = { deposits, withdrawals, reviews, switches, onChain };
  return { outbox, dispatcher, engineRequests, directory, earlierSettings, ...programs };
}
