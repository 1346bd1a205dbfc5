/** Realistic bugs, planted at ports and in classes of the platform: the auditor must complain about each. */
import { referralRebateAbi, vaultAbi } from "@bourse/contracts";
import { type Command, Engine, type EngineEvent } from "@bourse/engine";
import { decodeFunctionData, encodeEventTopics, encodeFunctionData, type Hex, toFunctionSelector } from "viem";
import { SettlementService } from "../../../apps/server/src/broker/settlement/settlement-service.ts";
import { Operator, type OperatorCall } from "../../../apps/server/src/chain/operator/operator.ts";
import { Connection } from "../../../apps/server/src/exchange/streams/connection.ts";
import type { Topic } from "../auditor/complaints.ts";
import type { DatabaseBug } from "../ground/gated-database.ts";
import type { Bugs } from "../ground/world.ts";

export interface PlantedBug {
  readonly name: string;
  /** The complaint has one of these topics. */
  readonly topics: readonly Topic[];
  /** The text of the complaint, or of the refusal to start. */
  readonly says: RegExp;
  readonly plant: () => Bugs;
  /** Set if more than the usual number of crashes is needed to find it. */
  readonly trouble?: number;
  readonly actions?: number;
  readonly days?: number;
}

type Prototype<Method extends string> = Record<Method, (...args: never[]) => unknown>;

/** Replaces a method until the returned function is called. */
function patched<Method extends string>(
  prototype: object,
  method: Method,
  make: (original: (...args: never[]) => unknown) => (...args: never[]) => unknown,
): () => void {
  const target = prototype as Prototype<Method>;
  const original = target[method];
  target[method] = make(original) as Prototype<Method>[Method];
  return () => {
    target[method] = original;
  };
}

/** An engine with an additional effect after each command; live engine and replay alike. */
function wrongEngine(after: (engine: Engine, events: readonly EngineEvent[], command: Command) => void): Bugs {
  return {
    plant: () =>
      patched(
        Engine.prototype,
        "apply",
        (original) =>
          function (this: Engine, command: Command) {
            (original as (command: Command) => void).call(this, command);
            after(this, this.events.decode(), command);
          } as never,
      ),
  };
}

/** A statement that is missing, or runs once too often, directly after the nth transaction of a kind. */
function behindTransaction(kind: RegExp, place: number, statement: string): DatabaseBug {
  let seen = 0;
  return {
    async afterTransaction(statements, outcome, query) {
      if (outcome !== "committed" || !statements.some(({ sql }) => kind.test(sql))) return;
      seen += 1;
      if (seen === place) await query(statement);
    },
  };
}

const CURSOR = /update exchange_cursor/;

/** Moves the cursor although the rows were rolled back. */
const cursorOutside: DatabaseBug = {
  async afterTransaction(statements, outcome, query) {
    const moved = statements.find(({ sql }) => CURSOR.test(sql));
    if (outcome === "rolled back" && moved !== undefined) await query(moved.sql, moved.parameters);
  },
};

/** One in a number of private messages is not sent. */
function forgetfulSocket(): Bugs {
  let seen = 0;
  return {
    plant: () =>
      patched(
        Connection.prototype,
        "send",
        (original) =>
          function (this: Connection, frames: Buffer, count: number) {
            if (frames.includes('"type":"update","channel":"orders"')) seen += 1;
            if (seen === 25) {
              seen += 1;
              return;
            }
            (original as Connection["send"]).call(this, frames, count);
          } as never,
      ),
  };
}

const SYNC = toFunctionSelector("syncRebates(bytes32,address[],uint256[])");

/** A payout that gets a new reference for a second attempt. */
const payingTwice: Bugs = {
  plant: () =>
    patched(
      Operator.prototype,
      "submit",
      (original) =>
        async function (this: Operator, call: OperatorCall) {
          const submit = original as unknown as Operator["submit"];
          const outcome = await submit.call(this, call);
          if (call.data?.startsWith(SYNC) === true) {
            const { args } = decodeFunctionData({ abi: referralRebateAbi, data: call.data });
            const [, users, amounts] = args as [Hex, readonly Hex[], readonly bigint[]];
            const again = [`0x${"ab".repeat(32)}`, users, amounts] as const;
            const data = encodeFunctionData({ abi: referralRebateAbi, functionName: "syncRebates", args: again });
            await submit.call(this, { ...call, ref: `${call.ref}:again`, data });
          }
          return outcome;
        } as never,
    ),
};

/** The job settles the wrong day, one day too early. */
const wrongDay: Bugs = {
  plant: () =>
    patched(
      SettlementService.prototype,
      "settle",
      (original) =>
        function (this: SettlementService, period: string, atEnd?: never) {
          const isJob = atEnd !== undefined && period < this.today;
          const before = new Date(Date.parse(period) - 86_400_000).toISOString().slice(0, 10);
          return (original as unknown as SettlementService["settle"]).call(this, isJob ? before : period, atEnd);
        } as never,
    ),
};

interface Log {
  readonly topics: readonly string[];
  readonly transactionHash: string;
}

const isLogs = (method: string, answer: unknown): answer is Log[] => method === "eth_getLogs" && Array.isArray(answer);

/** The node reports a deposit twice, under two hashes. */
function repeatedDeposit(topic: string): Bugs {
  let isDone = false;
  return {
    chain: {
      changed(method, answer) {
        if (isDone || !isLogs(method, answer)) return answer;
        const deposit = answer.find(({ topics }) => topics[0] === topic);
        if (deposit === undefined) return answer;
        isDone = true;
        const transactionHash = deposit.transactionHash.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
        return [...answer, { ...deposit, transactionHash, logIndex: "0x7f" }];
      },
    },
  };
}

const [DEPOSITED] = encodeEventTopics({ abi: vaultAbi, eventName: "Deposited" });

export const PLANTED: readonly PlantedBug[] = [
  {
    name: "a reply before its sync",
    topics: ["INV-7", "acknowledged"],
    says: /was acknowledged and is not there|does not start/,
    plant: () => ({ disk: { liesAboutSync: true } }),
    trouble: 3,
  },
  {
    name: "a write to the log that was forgotten",
    topics: ["INV-7", "INV-6", "acknowledged"],
    says: /INV-6|does not start|is not there/,
    plant: () => {
      let writes = 0;
      return {
        disk: {
          forgets: () => {
            writes += 1;
            return writes === 60;
          },
        },
      };
    },
    trouble: 3,
  },
  {
    name: "the projector's cursor outside of its transaction",
    topics: ["fill", "order", "INV-7", "health"],
    says: /is not listed|trades listed|does not start|does not answer|projector/,
    plant: () => ({ database: cursorOutside }),
    trouble: 4,
    actions: 220,
  },
  {
    name: "a lost row of the outbox",
    topics: ["deposit", "balance"],
    says: /deposits|what the account holds/,
    plant: () => {
      const ref = "select id from outbox where ref like 'deposit:%' and dispatch_seq is null order by id desc limit 1";
      const kind = /insert into "?deposit"?/;
      return { database: behindTransaction(kind, 2, `delete from outbox where id = (${ref})`) };
    },
  },
  {
    name: "a payout that is made twice",
    topics: ["payout"],
    says: /rebates on the chain/,
    plant: () => payingTwice,
  },
  {
    name: "rebates that are rounded up",
    topics: ["settlement"],
    says: /the rebates of/,
    plant: () => ({
      database: {
        rewrite: (sql, parameters) => ({
          sql: sql.replaceAll(/\) \/ 1000000\)/g, " + 999999) / 1000000)"),
          parameters,
        }),
      },
    }),
  },
  {
    name: "an event that a stream leaves out",
    topics: ["stream"],
    says: /did not get event|never came by its socket/,
    plant: forgetfulSocket,
  },
  {
    name: "a fee that is charged twice",
    topics: ["balance"],
    says: /what the account holds/,
    plant: () =>
      wrongEngine((engine, events) => {
        for (const event of events) {
          if (event.kind !== "fill" || event.account === 0) continue;
          engine.state.accounts.addPrincipal(event.account, -event.fee_micros);
          engine.state.totals.addFees(event.fee_micros);
        }
      }),
  },
  {
    name: "a withdrawal that is taken twice",
    topics: ["balance"],
    says: /what the account holds/,
    plant: () =>
      wrongEngine((engine, events) => {
        for (const event of events) {
          if (event.kind === "withdrawal_held") engine.state.accounts.addPrincipal(event.account, -event.amount_micros);
        }
      }),
  },
  {
    name: "a day that its settlement forgets",
    topics: ["settlement"],
    says: /was not closed by its job/,
    plant: () => wrongDay,
  },
  {
    name: "a deposit that is credited twice",
    topics: ["deposit", "balance"],
    says: /deposits|what the account holds/,
    plant: () => repeatedDeposit(DEPOSITED),
  },
  {
    name: "funding that leaves a micro too much",
    topics: ["balance", "funding"],
    says: /what the account holds|funding of/,
    plant: () =>
      wrongEngine((engine, events) => {
        for (const event of events) {
          if (event.kind === "funding_paid" && event.account !== 0)
            engine.state.accounts.addPrincipal(event.account, 1);
        }
      }),
  },
  {
    name: "a fill that is missing in the history",
    topics: ["fill"],
    says: /is not listed|trades listed/,
    plant: () => {
      const last = "select ctid from exchange_fill where account > 0 limit 1";
      const kind = /copy "?exchange_fill"?/;
      return { database: behindTransaction(kind, 6, `delete from exchange_fill where ctid = (${last})`) };
    },
  },
  {
    name: "points that are forgotten",
    topics: ["points"],
    says: /lines of points/,
    plant: () => {
      const last = "select max(id) from points_line";
      const kind = /insert into points_line/;
      return { database: behindTransaction(kind, 5, `delete from points_line where id = (${last})`) };
    },
  },
  {
    name: "a bonus that the pool does not get back in its books",
    topics: ["INV-3", "bonus"],
    says: /pool/,
    // A bonus lasts a day.
    days: 2,
    actions: 200,
    plant: () => {
      const last = "select max(id) from bonus_pool_line where kind in ('RECALL', 'EXPIRE')";
      const kind = /bonus_pool_line/;
      return {
        database: {
          async afterTransaction(statements, outcome, query) {
            if (outcome !== "committed" || !statements.some(({ sql }) => kind.test(sql))) return;
            await query(`delete from bonus_pool_line where id = (${last})`);
          },
        },
      };
    },
  },
];
