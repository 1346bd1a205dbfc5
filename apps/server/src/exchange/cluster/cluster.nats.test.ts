import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { commitmentTo, disclosureText, OLDEST_RULES, stateHash } from "@bourse/engine";
import { onCleanup } from "../../../../../tests/support/cleanup.ts";
import { makeTempDir } from "../../../../../tests/support/files.ts";
import { systemClock } from "../../kernel/clock.ts";
import { LogFault } from "../../kernel/journal/log-format.ts";
import { listSegments } from "../../kernel/journal/segments.ts";
import { LEAD_ms } from "../../kernel/nats/lease.ts";
import { systemRandom } from "../../kernel/random.ts";
import { ExchangeOverloaded, type Unstamped } from "../host/exchange.ts";
import { LoggedExchange } from "../host/logged-exchange.ts";
import { makeSnapshot } from "../journal/make-snapshot.ts";
import { recover } from "../journal/recovery.ts";
import { snapshotPath } from "../journal/snapshots.ts";
import { CommandStream, Superseded } from "./command-stream.ts";
import { cleanUp, makeLead, newPrefix, openTestLink, startEngine, startNode } from "./testing/nodes.ts";

const openAccount = (account: number): Unstamped => ({ kind: "open_account", account });

function ground(t: TestContext): string {
  const prefix = newPrefix();
  onCleanup(t, () => cleanUp(prefix));
  return prefix;
}

const numbersOf = (applied: readonly { readonly number: number }[]) => applied.map(({ number }) => number);
const upTo = (count: number) => Array.from({ length: count }, (_, place) => place + 1);

describe("the exchange on JetStream", () => {
  it("RUN-3: what a follower asks for is done once, in its order, and everybody comes to the same state", async (t) => {
    const prefix = ground(t);
    const engine = await startEngine(t, prefix);
    const [a, b] = [await startNode(t, prefix), await startNode(t, prefix)];
    const done = await Promise.all(upTo(200).map((account) => a.exchange.submit(openAccount(account))));
    assert.deepEqual(numbersOf(done), upTo(200));
    assert.ok(done.every(({ events }) => events[0]?.kind === "account_opened"));
    await b.exchange.current();
    const hashes = [engine, a, b].map(({ exchange }) => stateHash(exchange.engine.state));
    assert.equal(new Set(hashes).size, 1);
    assert.deepEqual(numbersOf(b.applied), upTo(200));
  });

  it("RUN-3: reads follow writes: who asks any follower after a reply sees what was replied", async (t) => {
    const prefix = ground(t);
    await startEngine(t, prefix);
    const [a, b] = [await startNode(t, prefix), await startNode(t, prefix)];
    for (const account of upTo(50)) {
      const { number } = await a.exchange.submit(openAccount(account));
      await b.exchange.current();
      assert.ok(b.exchange.engine.state.commandNumber >= number);
      assert.equal(b.exchange.engine.state.accounts.count, account);
    }
  });

  it("INV-6: a restart goes on with its copy, and an empty folder gets a whole one", async (t) => {
    const prefix = ground(t);
    const engine = await startEngine(t, prefix);
    const first = await startNode(t, prefix);
    await Promise.all(upTo(30).map((account) => first.exchange.submit(openAccount(account))));
    await first.exchange.close();
    await engine.lead.exchange.submit(openAccount(31));
    const again = await startNode(t, prefix, { folder: first.folder });
    const empty = await startNode(t, prefix);
    for (const node of [again, empty]) {
      assert.equal(node.exchange.engine.state.commandNumber, 31);
      assert.equal(stateHash(node.exchange.engine.state), stateHash(engine.exchange.engine.state));
    }
    await again.exchange.submit(openAccount(32));
    await empty.exchange.current();
    await empty.exchange.close();
    const { engine: replayed } = await recover({ folder: empty.folder, projectedNumber: 32 });
    assert.equal(stateHash(replayed.state), stateHash(engine.exchange.engine.state));
  });

  it("LOG-8: a member with an empty folder begins at another's newest usable snapshot, wallets included", async (t) => {
    const prefix = ground(t);
    const engine = await startEngine(t, prefix);
    const { exchange } = engine.lead;
    const salt = "5a";
    const disclosure = disclosureText({ salt, fields: "0xa1" });
    const outside = { number: 1, reference: "open-account:1", commitment: commitmentTo(salt, "0xa1"), disclosure };
    await exchange.submit({ ...openAccount(1), ...outside } as Unstamped);
    const snapshotAt = async (number: number) => {
      while (exchange.engine.state.accounts.count < number) {
        await exchange.submit(openAccount(exchange.engine.state.accounts.count + 1));
      }
      const liveHash = stateHash(exchange.engine.state);
      const request = { number, liveHash, projectedNumber: number };
      await makeSnapshot({ ...request, folder: engine.folder });
    };
    for (const number of [10, 20, 30]) await snapshotAt(number);
    await Promise.all(upTo(12).map((place) => exchange.submit(openAccount(30 + place))));
    const join = (terms: object) => startNode(t, prefix, { joinFrom_commands: 40, ...terms });
    const folder = await makeTempDir(t);
    const joined = await join({ folder });
    assert.equal(joined.recovered.snapshotNumber, 30);
    assert.equal(joined.recovered.wallets.of(1), "0xa1");
    assert.equal(stateHash(joined.exchange.engine.state), stateHash(exchange.engine.state));
    assert.ok(listSegments(folder)[0]!.firstNumber > 20, "its copy of the log begins there");
    await joined.exchange.submit(openAccount(43));
    await joined.exchange.close();
    const again = await join({ folder });
    assert.equal(again.exchange.engine.state.commandNumber, 43);
    assert.equal(
      (await join({ projectedNumber: 29 })).recovered.snapshotNumber,
      20,
      "the tables lack what is behind it",
    );
    assert.equal((await join({ projectedNumber: 19 })).recovered.snapshotNumber, 0);
    assert.equal((await join({ joinFrom_commands: 50 })).recovered.snapshotNumber, 0, "a short log is read whole");
    // One byte is other than it was, on the only member that has this snapshot.
    rmSync(snapshotPath(folder, 30));
    const [damaged, lines] = [readFileSync(snapshotPath(engine.folder, 30)), [] as string[]];
    damaged[100]! ^= 1;
    writeFileSync(snapshotPath(engine.folder, 30), damaged);
    const passing = await join({ onProgress: (line: string) => lines.push(line) });
    assert.equal(passing.recovered.snapshotNumber, 20);
    assert.match(lines.join(), /a snapshot of another member is passed over: .*30\.snapshot is passed over/);
    assert.equal(stateHash(passing.exchange.engine.state), stateHash(again.exchange.engine.state));
  });

  it("LOG-8: old commands go from the stream; members go on, new ones join, and one that was away too long is told", async (t) => {
    const prefix = ground(t);
    const engine = await startEngine(t, prefix);
    const { exchange } = engine.lead;
    const [member, away] = [await startNode(t, prefix), await startNode(t, prefix)];
    for (const account of upTo(5)) await exchange.submit(openAccount(account));
    await away.exchange.current();
    await away.exchange.close();
    for (const account of upTo(25)) await exchange.submit(openAccount(5 + account));
    await makeSnapshot({ folder: engine.folder, number: 30, liveHash: undefined, projectedNumber: 30 });
    await exchange.submit(openAccount(31));
    await member.exchange.forgetBefore(28);
    const { state } = await member.link.manager.streams.info(member.link.names.stream);
    assert.ok(state.first_seq > 20 && state.messages >= 4 && state.messages < 8, JSON.stringify(state));
    await member.exchange.forgetBefore(28);
    await exchange.submit(openAccount(32));
    await member.exchange.current();
    const joined = await startNode(t, prefix);
    assert.equal(joined.recovered.snapshotNumber, 30, "a short log, too, when its beginning is gone");
    assert.equal(stateHash(joined.exchange.engine.state), stateHash(exchange.engine.state));
    await member.exchange.close();
    const again = await startNode(t, prefix, { folder: member.folder });
    assert.equal(again.exchange.engine.state.commandNumber, 32);
    await assert.rejects(startNode(t, prefix, { folder: away.folder }), (error) => {
      assert.ok(error instanceof LogFault);
      assert.match(
        error.message,
        /begins behind command 6: start another member first and then this one with an empty/,
      );
      return true;
    });
    const packs = joined.stream.follow(3, AbortSignal.timeout(10_000));
    await assert.rejects(packs.next(), /has no message 4 any more: this member was behind for too long/);
  });

  it("INV-7: a standby takes over from an engine that vanished, and what was under way is done once", async (t) => {
    const prefix = ground(t);
    const first = await startEngine(t, prefix);
    const standby = await startNode(t, prefix);
    const trader = await startNode(t, prefix);
    await trader.exchange.submit(openAccount(1));
    // Simulates a power failure: the connection closes without a message.
    await first.link.connection.close();
    const underWay = upTo(20).map((place) => trader.exchange.submit(openAccount(place + 1)));
    const begun_ms = performance.now();
    const { lead } = await makeLead(t, standby);
    const done = await Promise.all(underWay);
    t.diagnostic(`taken over after ${Math.round(performance.now() - begun_ms)} ms; a lease is ${LEAD_ms} ms`);
    assert.deepEqual(numbersOf(done), upTo(21).slice(1));
    assert.equal(trader.exchange.engine.state.accounts.count, 21);
    await lead.exchange.close();
    assert.equal(stateHash(trader.exchange.engine.state), stateHash(standby.exchange.engine.state));
  });

  it("INV-7: an engine that was thought dead can write nothing behind the first message of its successor", async (t) => {
    const prefix = ground(t);
    const stale = await startEngine(t, prefix);
    const standby = await startNode(t, prefix);
    const trader = await startNode(t, prefix);
    await trader.exchange.submit(openAccount(1));
    // Deletes the lease while the leader is unaware of it and continues to write.
    const leases = new (await import("@nats-io/kv")).Kvm(stale.link.connection);
    await (await leases.open(stale.link.names.leads)).delete("engine");
    const { lead } = await makeLead(t, standby);
    const refused = stale.lead.exchange.submit(openAccount(2));
    await assert.rejects(refused, { name: "OutcomeUnknown" });
    assert.ok(stale.failures.length > 0);
    const { number } = await trader.exchange.submit(openAccount(2));
    assert.equal(number, 2);
    await lead.exchange.close();
    assert.equal(lead.exchange.engine.state.accounts.count, 2);
  });

  it("INV-7: messages that get lost, come twice or overtake each other change nothing", async (t) => {
    const prefix = ground(t);
    await startEngine(t, prefix);
    const trader = await startNode(t, prefix);
    const { connection } = trader.link;
    const publish = connection.publish.bind(connection);
    let count = 0;
    connection.publish = (subject, payload, options) => {
      count += 1;
      const isSubmission = subject.includes(".submit.");
      if (isSubmission && count % 3 === 0) return;
      publish(subject, payload, options);
      if (isSubmission && count % 4 === 0) publish(subject, payload, options);
    };
    const done = [];
    for (const account of upTo(40)) {
      done.push(trader.exchange.submit(openAccount(account)));
      // Ends the batch, so that each command is a pack of its own.
      await new Promise(setImmediate);
    }
    assert.deepEqual(numbersOf(await Promise.all(done)), upTo(40));
    assert.deepEqual(numbersOf(trader.applied), upTo(40));
  });

  it("FUT-17: too many waiting commands are refused by the engine, and those that are exempt pass", async (t) => {
    const prefix = ground(t);
    await startEngine(t, prefix, { maxCommandsWaiting: 0 });
    const trader = await startNode(t, prefix);
    await assert.rejects(trader.exchange.submit(openAccount(1)), ExchangeOverloaded);
    const { number } = await trader.exchange.submit(openAccount(1), true);
    assert.equal(number, 1);
  });

  it("INV-7: a folder that has seen more than the stream, or another stream, is refused by name", async (t) => {
    const prefix = ground(t);
    const engine = await startEngine(t, prefix);
    await engine.lead.exchange.submit(openAccount(1));
    await engine.lead.close();
    await cleanUp(prefix);
    await assert.rejects(startNode(t, prefix, { folder: engine.folder }), (error: Error) => {
      assert.ok(error instanceof LogFault);
      assert.match(error.message, /copy-of says that this is a copy of the stream/);
      return true;
    });
  });

  it("INV-6: a new stream begins with the journal of an exchange that ran without one, once", async (t) => {
    const prefix = ground(t);
    const folder = await makeTempDir(t);
    const { engine, log } = await recover({ folder, projectedNumber: 0 });
    const alone = new LoggedExchange({
      engine,
      log,
      clock: systemClock,
      maxCommandsWaiting: 10_000,
      onFailure: (error) => assert.fail(String(error)),
    });
    await Promise.all(upTo(5_000).map((account) => alone.submit(openAccount(account))));
    await alone.close();
    await assert.rejects(startNode(t, prefix, { folder }), /was acknowledged: part of it is lost/);
    const first = await startEngine(t, prefix, { folder, adoptsJournal: true });
    assert.equal(stateHash(first.exchange.engine.state), stateHash(engine.state));
    const { number } = await first.lead.exchange.submit(openAccount(5_001));
    assert.equal(number, 5_001);
    await first.lead.close();
    const again = await startNode(t, prefix, { folder, adoptsJournal: true });
    const empty = await startNode(t, prefix);
    for (const node of [again, empty]) {
      assert.equal(node.exchange.engine.state.commandNumber, 5_001);
      assert.equal(stateHash(node.exchange.engine.state), stateHash(first.exchange.engine.state));
    }
  });

  it("INV-7: the stream takes a message only where its writer says, and the same message once", async (t) => {
    const prefix = ground(t);
    const stream = await CommandStream.open(await openTestLink(t, prefix), systemRandom);
    const { signal } = new AbortController();
    const place = { rulesVersion: OLDEST_RULES, chain: undefined };
    const pack = { term: 1, firstNumber: 1, records: [{ bytes: Uint8Array.of(7), origin: undefined }], place };
    assert.equal(await stream.write(pack, 0, signal), 1);
    assert.equal(await stream.write(pack, 0, signal), 1);
    await assert.rejects(stream.write({ ...pack, term: 2 }, 0, signal), Superseded);
    assert.equal(await stream.lastSeq(), 1);
    assert.equal(await stream.seqOf(1), 1);
    assert.equal(await stream.seqOf(0), 0);
  });
});
