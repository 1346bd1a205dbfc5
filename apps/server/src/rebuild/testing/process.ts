import assert from "node:assert/strict";
import type { Engine } from "@bourse/engine";
import { Issuer } from "../../bonus/grants/issue.ts";
import { AccountDirectory, deliverTo } from "../../exchange/index.ts";
import { createMemoryExchange, rethrow } from "../../exchange/testing/memory-exchange.ts";
import type { ManualClock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { AnswerLate, EngineRequests } from "../../kernel/engine-requests/engine-requests.ts";
import type { MemoryLog } from "../../kernel/journal/command-log.ts";
import { createOutbox } from "../../kernel/outbox/outbox.ts";
import type { Random } from "../../kernel/random.ts";
import { Deposits, heldMoneyOf, Payments, VaultListener, WithdrawalHolds, Withdrawals } from "../../wallet/index.ts";
import type { PaymentsOptions } from "../../wallet/payments.ts";
import { type FakeVault, VAULT } from "./fake-vault.ts";

export interface ProcessOptions {
  readonly database: Database;
  readonly clock: ManualClock;
  readonly vault: FakeVault;
  readonly random: Random;
  /** Has applied the log. */
  readonly engine: Engine;
  readonly log: MemoryLog;
}

const switches = { read: async () => ({ withdrawals_paused: false }) } as unknown as PaymentsOptions["switches"];
const nothing = { notify: () => {} };

/** What of the server decides about money, without anything that runs by itself. */
export function startProcess({ database, clock, vault, random, engine, log }: ProcessOptions) {
  const exchange = createMemoryExchange({ engine, log, clock });
  const projector = { waitFor: async () => {}, waitForAll: async () => {} };
  const outbox = createOutbox({ clock });
  const engineRequests = new EngineRequests({ database, outbox, dispatcher: nothing, exchange, projector, random });
  const directory = new AccountDirectory({ database, clock, engineRequests, exchange });
  // Nobody waits for the engine here: what it answers is projected later.
  const answer = (ref: string) => Promise.reject(new AnswerLate(ref));
  const late = { tell: engineRequests.tell.bind(engineRequests), answer, ...nothing };
  const wallet = { database, clock, engineRequests: late, directory };
  const moneyOf = (account: number) => heldMoneyOf(exchange.engine, account);
  const holds = new WithdrawalHolds({ database, clock, moneyOf });
  const onIgnored = (reason: string) => assert.fail(reason);
  const { operator } = vault;
  return {
    exchange,
    directory,
    deliver: deliverTo(exchange),
    listener: new VaultListener({ deposits: new Deposits(wallet), engineRequests: late, clock, onIgnored }),
    withdrawals: new Withdrawals({ ...wallet, random, switches, moneyOf, holds, onHeld: () => {} }),
    payments: new Payments({
      ...wallet,
      operator,
      vault: VAULT,
      switches,
      holds,
      projected: async () => {},
      onError: rethrow,
    }),
    issuer: new Issuer({ directory, engineRequests }),
  };
}
