import { policyOf } from "../../../apps/server/src/kernel/http/routes.ts";
import { Prng } from "../../../packages/engine/src/book/testing/prng.ts";
import type { Failures } from "../failures.ts";
import { GoodValues } from "./good-values.ts";
import { judge, type Reply } from "./judge.ts";
import { type OpenApi, type Operation, operationsOf } from "./operations.ts";
import { type FuzzRequest, RequestMaker } from "./requests.ts";
import { differences, StatePrint } from "./state-print.ts";
import type { World } from "./world.ts";

export interface HttpOptions {
  readonly requests: number;
  readonly seed: number;
  readonly onProgress?: (line: string) => void;
}

/** How often a route was called, and how often the request reached its handler. */
interface Asked {
  sent: number;
  handled: number;
  succeeded: number;
  took_ms: number;
}

export interface HttpReport {
  readonly sent: number;
  /** Refused requests that were sent again to check that they change nothing. */
  readonly repeated: number;
  /** Those of rounds in which all were refused again: after them the state was compared. */
  readonly compared: number;
  readonly rounds: number;
  /** Replies that asked to retry, because the tables had not caught up. */
  readonly waits: number;
  /** By area and class of status. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly styles: ReadonlyMap<string, number>;
  readonly routes: ReadonlyMap<string, Readonly<Asked>>;
}

const PER_ROUND = 500;
const AT_ONCE = 6;
const ANSWER_LIMIT_ms = 60_000;
const SHOW_EVERY_ms = 5_000;
const AUDIT_EVERY_rounds = 10;
const MAX_TRIES = 4;

/** Routes whose valid requests are slow: they derive a password, mine a transaction or run a job. */
const SLOW: ReadonlySet<string> = new Set([
  "POST /api/v1/broker/auth/login",
  "POST /api/v1/broker/admin/bd",
  "POST /api/v1/dev/faucet",
  "POST /api/v1/dev/clock",
  "POST /api/v1/dev/jobs/{name}/run",
  "POST /api/v1/earn/admin/products",
  "POST /api/v1/earn/admin/products/{id}/fund",
  "PUT /api/v1/referral/admin/tier",
  "GET /api/v1/admin/invariants",
]);
/** Such a route takes one of this many turns. */
const SLOW_TURN = 5;

export class HttpRun {
  readonly #world: World;
  readonly #operations: readonly Operation[];
  readonly #maker: RequestMaker;
  readonly #print: StatePrint;
  readonly #failures: Failures;
  readonly #options: HttpOptions;
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #styles = new Map<string, number>();
  readonly #routes = new Map<string, Asked>();
  #sent = 0;
  #repeated = 0;
  #compared = 0;
  #waits = 0;
  #rounds = 0;
  #shown_ms = performance.now();

  private constructor(world: World, operations: readonly Operation[], failures: Failures, options: HttpOptions) {
    this.#world = world;
    this.#operations = operations;
    this.#maker = new RequestMaker(world, new GoodValues(world.pools));
    this.#print = new StatePrint(world.platform);
    this.#failures = failures;
    this.#options = options;
    for (const { name } of operations) this.#routes.set(name, { sent: 0, handled: 0, succeeded: 0, took_ms: 0 });
  }

  static async run(world: World, options: HttpOptions, failures: Failures): Promise<HttpReport> {
    const description = (await world.platform.get("/openapi.json")).json() as OpenApi;
    const run = new HttpRun(world, operationsOf(description, policyOf(world.platform.app)), failures, options);
    await run.#all();
    return run.#report();
  }

  #report(): HttpReport {
    const [counts, styles, routes] = [this.#counts, this.#styles, this.#routes];
    const [sent, repeated, compared, rounds] = [this.#sent, this.#repeated, this.#compared, this.#rounds];
    return { sent, repeated, compared, rounds, waits: this.#waits, counts, styles, routes };
  }

  async #all(): Promise<void> {
    const { requests } = this.#options;
    while (this.#sent < requests) {
      const round = this.#makeRound(Math.min(PER_ROUND, requests - this.#sent));
      const replies = await this.#sendAll(round);
      this.#rounds += 1;
      const refused = round.filter((_, place) => isRefusal(replies[place]!));
      await this.#assertUnchanged(refused);
      await this.#world.refresh();
      await this.#assertInvariants();
      if (this.#rounds % AUDIT_EVERY_rounds === 0) await this.#assertAudit();
    }
    await this.#assertHealthy();
    this.#assertCovered();
    if (this.#compared === 0) this.#failures.add("no round could be compared", { how: "", sent: "", answered: "" });
  }

  /** Every request has its own seed, so that it can be reproduced alone. */
  #makeRound(count: number): FuzzRequest[] {
    const round: FuzzRequest[] = [];
    for (let number = this.#sent; round.length < count; number += 1) {
      const turn = Math.floor(number / this.#operations.length);
      const operation = this.#operations[number % this.#operations.length]!;
      const isTurn = !SLOW.has(operation.name) || turn % SLOW_TURN === 0;
      const chosen = isTurn ? operation : this.#operations[(number * 7 + turn) % this.#operations.length]!;
      round.push(this.#maker.make(chosen, new Prng(this.#options.seed * 1_000_003 + number), turn === 0));
    }
    return round;
  }

  async #sendAll(round: readonly FuzzRequest[], isRepeated = false): Promise<Reply[]> {
    const replies: Reply[] = [];
    let next = 0;
    const work = async () => {
      while (next < round.length) {
        const place = next++;
        const request = round[place]!;
        const started_ms = performance.now();
        const reply = await this.#sendPatiently(request);
        replies[place] = reply;
        this.#note(request, reply, performance.now() - started_ms, isRepeated);
        this.#show();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return replies;
  }

  /** On a busy machine the tables lag behind: a request that gets a retry reply is repeated a few times. */
  async #sendPatiently(request: FuzzRequest): Promise<Reply> {
    for (let time = 1; ; time += 1) {
      const reply = await this.#send(request);
      const isAskedToWait = reply.statusCode === 503 && reply.headers["retry-after"] !== undefined;
      if (!isAskedToWait || !/"not_ready"/i.test(reply.body) || time === MAX_TRIES) return reply;
      this.#waits += 1;
      await this.#quiet();
    }
  }

  async #send(request: FuzzRequest): Promise<Reply> {
    const { method, url, headers, payload } = request;
    const answer = this.#world.platform.app.inject({
      method: method as "GET",
      url,
      headers,
      ...(payload === undefined ? {} : { payload }),
    });
    const limit = Promise.withResolvers<Reply>();
    const timer = setTimeout(
      () => limit.resolve({ statusCode: 599, headers: {}, body: '"no answer"' }),
      ANSWER_LIMIT_ms,
    );
    try {
      return await Promise.race([answer, limit.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #note(request: FuzzRequest, reply: Reply, took_ms: number, isRepeated: boolean): void {
    const { operation, style, isAllowed } = request;
    if (isRepeated) this.#repeated += 1;
    else this.#sent += 1;
    const area = areaName(operation);
    const counts = this.#counts.get(area) ?? new Map<string, number>();
    this.#counts.set(area, counts);
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    counts.set(status, (counts.get(status) ?? 0) + 1);
    if (!isRepeated) this.#styles.set(style, (this.#styles.get(style) ?? 0) + 1);
    const asked = this.#routes.get(operation.name)!;
    asked.sent += 1;
    asked.took_ms += took_ms;
    if (reply.statusCode < 300 && style !== "path" && style !== "method") asked.succeeded += 1;
    const isStopped = reply.statusCode === 401 || reply.statusCode === 403;
    if (isAllowed && !isStopped && style !== "path" && style !== "method") asked.handled += 1;
    for (const problem of judge(request, reply)) this.#fail(request, problem, reply);
  }

  #fail(request: FuzzRequest, problem: string, reply?: Reply): void {
    const { operation, actor, style, method, url, headers, payload } = request;
    const sent = `${method} ${url} ${JSON.stringify(headers)} ${payload?.toString("latin1").slice(0, 600) ?? ""}`;
    this.#failures.add(`${operation.name}: ${problem}`, {
      how: `${actor}, ${style}`,
      sent: sent.slice(0, 1_500),
      answered: reply === undefined ? "" : `${reply.statusCode} ${reply.body.slice(0, 400)}`,
    });
  }

  /** Sends refused requests again and checks that nothing changes. */
  async #assertUnchanged(refused: readonly FuzzRequest[]): Promise<void> {
    await this.#quiet();
    let left = refused;
    // A request that is accepted this time is removed: the others are sent again.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const before = await this.#print.take();
      const replies = await this.#sendAll(left, true);
      await this.#quiet();
      const still = left.filter((_, place) => isRefusal(replies[place]!));
      if (still.length < left.length) {
        left = still;
        continue;
      }
      this.#compared += left.length;
      if (differences(before, await this.#print.take()).length > 0) await this.#findCulprits(left);
      return;
    }
  }

  /** Finds the requests that changed something, by bisection. */
  async #findCulprits(requests: readonly FuzzRequest[]): Promise<void> {
    const before = await this.#print.take();
    await this.#sendAll(requests, true);
    await this.#quiet();
    const changed = differences(before, await this.#print.take());
    if (changed.length === 0) return;
    if (requests.length === 1) {
      this.#fail(requests[0]!, `it was refused and changed ${changed.join("; ").slice(0, 500)}`);
      return;
    }
    const middle = requests.length >> 1;
    await this.#findCulprits(requests.slice(0, middle));
    await this.#findCulprits(requests.slice(middle));
  }

  /** Waits until the projector has caught up: the tables follow the engine. */
  async #quiet(): Promise<void> {
    for (let time = 0; time < 3_000; time += 1) {
      const { checks } = (await this.#world.platform.get("/readyz")).json() as {
        checks: Readonly<Record<string, { readonly detail: string }>>;
      };
      if (/\b0 to go/.test(checks["projector"]?.detail ?? "")) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    this.#failures.add("the projector does not catch up", { how: "", sent: "", answered: "" });
  }

  async #assertInvariants(): Promise<void> {
    const { platform } = this.#world;
    // They are checked once per second of platform time.
    platform.realTime.advance(1_001);
    const reply = await platform.get("/api/v1/admin/invariants", this.#world.token("admin"));
    const { invariants = [] } = reply.json() as { invariants?: { code: string; ok: boolean | null; detail: string }[] };
    const broken = invariants.filter(({ ok }) => ok !== true);
    if (invariants.length === 0)
      this.#failures.add("invariants cannot be read", { how: "", sent: "", answered: reply.body });
    for (const { code, detail } of broken) {
      this.#failures.add(`${code} does not hold`, { how: `after ${this.#sent} requests`, sent: "", answered: detail });
    }
  }

  /** SEC-8: the audit log can be verified after any requests. */
  async #assertAudit(): Promise<void> {
    const reply = await this.#world.platform.post("/api/v1/dev/jobs/audit-verify/run");
    const { ok } = reply.json() as { readonly ok?: boolean };
    if (ok === true) return;
    this.#failures.add("the audit log does not add up", {
      how: `after ${this.#sent} requests`,
      sent: "",
      answered: reply.body,
    });
  }

  async #assertHealthy(): Promise<void> {
    await this.#assertAudit();
    const reply = await this.#world.platform.get("/readyz");
    const { status } = reply.json() as { status: string };
    if (status !== "ready")
      this.#failures.add("the platform is not ready at the end", { how: "", sent: "", answered: reply.body });
  }

  #assertCovered(): void {
    const min = Math.floor(this.#options.requests / this.#operations.length / SLOW_TURN / 2);
    for (const [name, { sent, handled }] of this.#routes) {
      const nothing = { how: "", sent: "", answered: "" };
      if (sent < Math.max(1, min)) this.#failures.add(`${name} was asked only ${sent} times`, nothing);
      else if (handled === 0) this.#failures.add(`${name} was never asked by anybody whom it lets in`, nothing);
    }
  }

  #show(): void {
    const now_ms = performance.now();
    if (now_ms - this.#shown_ms < SHOW_EVERY_ms) return;
    this.#shown_ms = now_ms;
    const all = `${this.#sent} of ${this.#options.requests} requests, ${this.#repeated} sent again`;
    this.#options.onProgress?.(`http: ${all}, ${this.#failures.count} failures`);
  }
}

const isRefusal = ({ statusCode }: Reply) => statusCode >= 400 && statusCode < 500;

function areaName({ path }: Operation): string {
  const [, area] = /^\/(?:api\/v1\/)?([a-z-]+)/.exec(path) ?? [];
  return path.startsWith("/api/v1/dev") || path === "/rpc" ? "development" : (area ?? "other");
}
