import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { onCleanup } from "../../../../../../tests/support/cleanup.ts";
import { makeTempDir } from "../../../../../../tests/support/files.ts";
import { type Clock, systemClock } from "../../../kernel/clock.ts";
import { acquireLease, type HeldLease, openLeads } from "../../../kernel/nats/lease.ts";
import { type NatsLink, openNatsLink } from "../../../kernel/nats/link.ts";
import { systemRandom } from "../../../kernel/random.ts";
import type { Applied } from "../../host/exchange.ts";
import { type Lead, takeLead } from "../lead.ts";
import { type Follower, openFollower } from "../node.ts";

const url = () => process.env.NATS_URL ?? process.env.TEST_NATS_URL ?? "nats://127.0.0.1:4222";

export const newPrefix = () => `test-${randomBytes(5).toString("hex")}`;

export async function openTestLink(t: TestContext, prefix: string, name = "test"): Promise<NatsLink> {
  const link = await openNatsLink({ url: url(), prefix, replicas: 1, name });
  onCleanup(t, () => link.connection.close());
  return link;
}

/** Removes the streams that a test has created on the server. */
export async function cleanUp(prefix: string): Promise<void> {
  const { connection, manager, names } = await openNatsLink({ url: url(), prefix, replicas: 1, name: "cleanup" });
  const made = [names.stream, `KV_${names.leads}`, `KV_${names.leases}`];
  for (const stream of made) await manager.streams.delete(stream).catch(() => false);
  await connection.close();
}

export interface TestNode extends Follower {
  readonly link: NatsLink;
  readonly folder: string;
  readonly failures: unknown[];
  readonly applied: Applied[];
}

/** A follower in this process, as a process of the cluster would run it. */
export async function startNode(
  t: TestContext,
  prefix: string,
  {
    folder: kept,
    clock = systemClock,
    maxCommandsWaiting = 10_000,
    adoptsJournal = false,
    ...terms
  }: Partial<NodeTerms> = {},
): Promise<TestNode> {
  const folder = kept ?? (await makeTempDir(t));
  const link = await openTestLink(t, prefix);
  const failures: unknown[] = [];
  const applied: Applied[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  const onProgress = () => {};
  const random = systemRandom;
  const follower = await openFollower({
    link,
    folder,
    clock,
    random,
    maxCommandsWaiting,
    onProgress,
    onFailure,
    adoptsJournal,
    ...terms,
  });
  follower.exchange.listen((one) => applied.push(one));
  follower.exchange.start();
  onCleanup(t, () => follower.exchange.stopFollowing());
  return { ...follower, link, folder, failures, applied };
}

interface NodeTerms {
  readonly folder: string;
  readonly clock: Clock;
  readonly maxCommandsWaiting: number;
  readonly adoptsJournal: boolean;
  readonly joinFrom_commands: number;
  readonly projectedNumber: number;
  readonly onProgress: (line: string) => void;
}

export interface LeadingNode extends TestNode {
  readonly lead: Lead;
  readonly lease: HeldLease;
}

/** An engine that leads as soon as it gets the lease. */
export async function startEngine(
  t: TestContext,
  prefix: string,
  terms: Partial<NodeTerms> = {},
): Promise<LeadingNode> {
  const node = await startNode(t, prefix, terms);
  return { ...node, ...(await makeLead(t, node, terms.maxCommandsWaiting)) };
}

export async function makeLead(t: TestContext, node: TestNode, maxCommandsWaiting = 10_000) {
  const { link, stream, exchange: following, recovered, failures } = node;
  const leases = await openLeads(link);
  const lease = await acquireLease(
    leases,
    "engine",
    `node-${randomBytes(4).toString("hex")}`,
    new AbortController().signal,
  );
  if (lease === undefined) throw new Error("the lease was not acquired");
  const lead = await takeLead({
    link,
    stream,
    copy: recovered.log,
    following,
    lease,
    clock: systemClock,
    maxCommandsWaiting,
    listeners: [(one) => void node.applied.push(one)],
    onFault: (error) => failures.push(error),
    onFailure: (error) => failures.push(error),
  });
  onCleanup(t, () => lease.release().catch(() => {}));
  return { lead, lease };
}
