import { setTimeout as sleep } from "node:timers/promises";
import { startCluster } from "../tests/support/cluster.ts";
import {
  Drill,
  doWithout,
  hangLeader,
  killAndRestart,
  killTogether,
  type Outcome,
  outcomeTable,
} from "../tests/support/cluster-drill.ts";
import { makeDrillBuild } from "../tests/support/drill-build.ts";
import { pinPrices, TRADING_ENV } from "../tests/support/traders.ts";
import { goThereAndBack, rollCluster } from "../tests/support/upgrade-drill.ts";

/*
 * A distributed exchange on this machine: three NATS servers, two gateways, two engines and a worker on loopback. By
 * default it runs until it is interrupted; with `--drill` it kills each part in turn under load and prints a table of
 * the effects on clients, with `--upgrade-drill` it rolls them to another build. Needs the program nats-server and a PostgreSQL server (TEST_DATABASE_URL); uses Redis if
 * TEST_REDIS_URL is set.
 */

const HELP = `Usage: npm run cluster [-- --drill [--rounds N] [--traders N] | --upgrade-drill [--traders N]]

Starts three NATS servers, two gateways, two engines and a worker on loopback.
--drill          kills each in turn under load and prints what clients saw
--rounds         how often (1)
--upgrade-drill  rolls all of them under load to a build that knows one rules version more, and raises the version; then goes
                 there and back on one machine
--traders        how many trade meanwhile (8)
`;

function numberAfter(name: string, fallback: number): number {
  const place = process.argv.indexOf(name);
  if (place === -1) return fallback;
  const value = Number(process.argv[place + 1]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} needs a whole number`);
  return value;
}

const ends: (() => Promise<void>)[] = [];
const owner = { after: (end: () => Promise<void>) => void ends.push(end) };
const say = (line: string) => console.log(line);

async function runDrill(): Promise<void> {
  const cluster = await startCluster({ owner, env: TRADING_ENV, hasRelays: true, onProgress: say });
  await pinPrices(cluster.baseUrl);
  const drill = new Drill(cluster);
  await drill.open(numberAfter("--traders", 8));
  const outcomes: Outcome[] = [];
  const round = async (what: string, act: () => Promise<void>) => {
    const outcome = await drill.during(what, act);
    outcomes.push(outcome);
    say(`${what}: ${outcome.acknowledged} orders acknowledged, longest pause ${outcome.pause_ms} ms; all in order`);
  };
  for (let place = 0; place < numberAfter("--rounds", 1); place += 1) {
    await round("nothing", () => sleep(2_000));
    for (const member of cluster.nats) await round(`${member.name} killed`, () => killAndRestart(member));
    await round("leading engine killed", async () => killAndRestart(await cluster.leader()));
    await round("standby engine killed", async () => {
      const leader = await cluster.leader();
      await killAndRestart(cluster.engines.find((engine) => engine !== leader)!);
    });
    await round("leading engine stopped by a signal", async () => {
      const leader = await cluster.leader();
      await leader.kill("SIGTERM");
      leader.restart();
      await leader.ready();
    });
    await round("leading engine hung for 5 s", () => hangLeader(cluster, 5_000));
    for (const member of cluster.gateways) await round(`${member.name} killed`, () => killAndRestart(member));
    await round("worker killed", () => killAndRestart(cluster.workers[0]!));
    await round("engine, NATS server and gateway killed at once", async () => {
      await killTogether([await cluster.leader(), cluster.nats[1]!, cluster.gateways[1]!], 4_000);
    });
    await round("two NATS servers away for 8 s", () => killTogether(cluster.nats.slice(1), 8_000));
    await round("PostgreSQL away for 8 s", () => doWithout(cluster.database!, 8_000));
    if (cluster.redis !== undefined) await round("Redis away for 8 s", () => doWithout(cluster.redis!, 8_000));
  }
  say(`\n${outcomeTable(outcomes)}`);
}

async function runUpgradeDrill(): Promise<void> {
  const build = await makeDrillBuild(owner);
  const cluster = await startCluster({ owner, env: TRADING_ENV, onProgress: say });
  const outcomes = await rollCluster(cluster, build, numberAfter("--traders", 8), say);
  say(`\n${outcomeTable(outcomes)}\n`);
  await goThereAndBack(owner, build, say);
}

async function stay(): Promise<void> {
  const { baseUrl, env, nats, gateways, engines, workers } = await startCluster({ owner, onProgress: say });
  say(`\nThe exchange is at ${baseUrl}\n`);
  for (const member of [...nats, ...engines, ...workers, ...gateways]) {
    say(`  ${member.name.padEnd(10)} port ${member.port}, process ${member.process.pid}`);
  }
  say(`\n  Admin      admin / ${env["ADMIN_PASSWORD"]}\n\nKill what you like; Ctrl-C ends it all.`);
  await new Promise((resolve) => process.once("SIGINT", resolve));
}

if (process.argv.includes("--help")) say(HELP);
else {
  try {
    if (process.argv.includes("--upgrade-drill")) await runUpgradeDrill();
    else await (process.argv.includes("--drill") ? runDrill() : stay());
  } finally {
    for (const end of ends.reverse()) await end();
  }
}
