import assert from "node:assert/strict";
import { it } from "node:test";
import { startCluster } from "../support/cluster.ts";
import {
  Drill,
  doWithout,
  hangLeader,
  killAndRestart,
  killTogether,
  type Outcome,
  outcomeTable,
} from "../support/cluster-drill.ts";
import { pinPrices, TRADING_ENV } from "../support/traders.ts";

it("INV-7: each part of a cluster is killed under load: nothing acknowledged is lost, nothing happens twice", async (t) => {
  const cluster = await startCluster({ owner: t, env: TRADING_ENV, hasRelays: true });
  await pinPrices(cluster.baseUrl);
  const drill = new Drill(cluster);
  await drill.open(4);
  const outcomes: Outcome[] = [];
  const round = async (what: string, act: () => Promise<void>) => outcomes.push(await drill.during(what, act));
  await round("nothing", async () => {});
  await round("the engine that leads is killed", async () => killAndRestart(await cluster.leader()));
  await round("the NATS server that leads is killed", async () => killAndRestart(await cluster.natsLeader()));
  await round("another NATS server is killed", async () => {
    const leader = await cluster.natsLeader();
    await killAndRestart(cluster.nats.find((member) => member !== leader)!);
  });
  await round("a gateway is killed", async () => killAndRestart(cluster.gateways[0]!));
  await round("the worker is killed", async () => killAndRestart(cluster.workers[0]!));
  await round("the engine that leads hangs for 5 s, then goes on", () => hangLeader(cluster, 5_000));
  await round("two NATS servers of three are away for 5 s", () => killTogether(cluster.nats.slice(1), 5_000));
  await round("PostgreSQL is away for 5 s", () => doWithout(cluster.database!, 5_000));
  if (cluster.redis !== undefined) await round("Redis is away for 5 s", () => doWithout(cluster.redis!, 5_000));
  t.diagnostic(`\n${outcomeTable(outcomes)}`);
  for (const { what, acknowledged } of outcomes) assert.ok(acknowledged > 0, `${what}: nobody traded`);
});
