import { OutboxDispatcher } from "../../kernel/outbox/dispatcher.ts";
import { createOutbox, type Outbox } from "../../kernel/outbox/outbox.ts";
import { type ChainWallet, openChainWallet } from "../../wallet/chain-wallet.ts";
import { Deposits } from "../../wallet/deposits.ts";
import { OutboxOutcomes } from "../../wallet/outcomes.ts";
import { Switches } from "../../wallet/switches.ts";
import { Withdrawals } from "../../wallet/withdrawals.ts";
import { AccountDirectory } from "../accounts/directory.ts";
import { deliverTo, isSureOf } from "../host/outbox-delivery.ts";
import { watchOutbox, watchTables } from "../metrics/database-metrics.ts";
import type { Host } from "./host.ts";
import { type ExchangeSystemOptions, reporter } from "./options.ts";

/** What comes to the engine from the database: accounts are opened and money moves by messages of the outbox. */
export interface Money {
  readonly outbox: Outbox;
  readonly dispatcher: OutboxDispatcher;
  readonly outcomes: OutboxOutcomes;
  readonly directory: AccountDirectory;
  readonly deposits: Deposits;
  readonly withdrawals: Withdrawals;
  readonly switches: Switches;
  readonly onChain: ChainWallet;
}

/** Step 2: the way from the database to the engine, and who has which account. */
export async function openMoney(options: ExchangeSystemOptions, { exchange, projector }: Host): Promise<Money> {
  const { settings, database, clock, random, log, audit, metrics } = options;
  const outbox = createOutbox({ clock });
  const dispatcher = new OutboxDispatcher({
    database,
    clock,
    deliver: deliverTo(exchange),
    isSure: isSureOf(exchange),
    onError: reporter(log)("the outbox could not be delivered"),
  });
  const directory = new AccountDirectory({ database, clock, outbox, dispatcher, exchange });
  await directory.load();
  const outcomes = new OutboxOutcomes({ database, exchange });
  const wallet = { database, clock, outbox, dispatcher, outcomes, directory };
  const switches = new Switches({ database, clock, audit, pausedBySetting: settings.withdrawalsPaused });
  const deposits = new Deposits(wallet);
  const onChain = openChainWallet({ ...options, ...wallet, exchange, projector, deposits, switches });
  const onHeld = () => onChain.payments.notify();
  const withdrawals = new Withdrawals({ ...wallet, random, switches, onHeld });
  watchOutbox(metrics, database, clock);
  watchTables(metrics, database);
  return { outbox, dispatcher, outcomes, directory, deposits, withdrawals, switches, onChain };
}
