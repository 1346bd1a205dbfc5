import { Prng } from "../../../packages/engine/src/book/testing/prng.ts";
import type { Failures } from "../failures.ts";
import { badText, encoded } from "../http/bad-values.ts";
import type { World } from "../http/world.ts";
import { makeMessage, type Secrets, type SocketMessage } from "./messages.ts";
import { closeCode, exchangeBytes, openSocket, upgradeRequest } from "./raw-client.ts";
import { makeRawFrames } from "./raw-frames.ts";
import { Talker } from "./talker.ts";
import { FOLLOWED, Witness } from "./witness.ts";

export interface SocketOptions {
  readonly messages: number;
  readonly seed: number;
  readonly onProgress?: (line: string) => void;
}

export interface SocketReport {
  readonly messages: number;
  readonly connections: number;
  /** By kind of message, then by outcome. */
  readonly outcomes: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** How many messages the witness received. */
  readonly witnessed: number;
}

/** The server closes a client that sends more than 20 at once; another test covers that. */
const PER_CONNECTION = 15;
const AT_ONCE = 12;
const ANSWER_LIMIT_ms = 30_000;
const TRADE_EVERY_ms = 40;
const SHOW_EVERY_ms = 5_000;
const PATHS = [
  ...["/ws", "/ws", "/ws", "/ws", "/ws/btcusdt@trade", "/stream", "/stream?streams=btcusdt@depth"],
  ...["/public/ws", "/market/stream", "/private/ws"],
];
/** RFC 6455 codes with which a server may close a connection that broke a rule. */
const PROPER_CODES: ReadonlySet<number> = new Set([1000, 1001, 1002, 1003, 1007, 1008, 1009]);

type Outcome = string;

export class SocketRun {
  readonly #world: World;
  readonly #port: number;
  readonly #secrets: Secrets;
  readonly #options: SocketOptions;
  readonly #failures: Failures;
  readonly #outcomes = new Map<string, Map<string, number>>();
  #messages = 0;
  #connections = 0;
  #shown_ms = performance.now();

  private constructor(world: World, port: number, secrets: Secrets, options: SocketOptions, failures: Failures) {
    this.#world = world;
    this.#port = port;
    this.#secrets = secrets;
    this.#options = options;
    this.#failures = failures;
  }

  static async run(world: World, options: SocketOptions, failures: Failures): Promise<SocketReport> {
    const port = await world.listen();
    const reply = await world.platform.signedCall("POST", "/fapi/v1/listenKey", world.key);
    const { listenKey } = reply.json() as { listenKey: string };
    const run = new SocketRun(world, port, { listenKey, token: world.token("kol") }, options, failures);
    const witness = await Witness.open(port, world.token("trader"));
    try {
      await run.#all(witness);
    } finally {
      witness.close();
    }
    return { messages: run.#messages, connections: run.#connections, outcomes: run.#outcomes, witnessed: witness.seen };
  }

  async #all(witness: Witness): Promise<void> {
    let isOver = false;
    const trading = this.#tradeUntil(() => isOver);
    let next = 0;
    const work = async () => {
      while (this.#messages < this.#options.messages) {
        const number = next++;
        const prng = new Prng(this.#options.seed * 1_000_003 + number);
        if (prng.isIn(25)) await this.#sendRaw(prng);
        else if (prng.isIn(20)) await this.#knock(prng);
        else await this.#talk(prng);
        this.#show();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    isOver = true;
    await trading;
    await this.#compareEvents(witness);
    const seen = witness.seen;
    if (seen < 20) this.#fail("the witness heard next to nothing", `${seen} messages`, "");
    for (const problem of new Set(witness.problems)) this.#fail(`the witness: ${problem}`, "", "");
    const ready = (await this.#world.platform.get("/readyz")).json() as { status: string };
    if (ready.status !== "ready") this.#fail("the platform is not ready at the end", "", JSON.stringify(ready));
  }

  /** Trades, so that the witness receives messages. */
  async #tradeUntil(isOver: () => boolean): Promise<void> {
    for (let turn = 0; !isOver(); turn += 1) {
      const side = turn % 2 === 0 ? "BUY" : "SELL";
      const order = { symbol: "BTCUSDT", type: "MARKET", side, quantity: "0.001" };
      await this.#world.platform.post("/api/v1/orders", order, this.#world.token("trader"));
      await new Promise((resolve) => setTimeout(resolve, TRADE_EVERY_ms));
    }
  }

  /** Compares the private events that the witness received with the account's list of events, without a gap. */
  async #compareEvents({ privateSeqs }: Witness): Promise<void> {
    const received = new Set(privateSeqs);
    const [first = 0] = privateSeqs;
    const last = Math.max(...privateSeqs);
    let after = first - 1;
    for (let page = 0; page < 1_000; page += 1) {
      const url = `/api/v1/account/events?after=${after}&limit=500`;
      const reply = await this.#world.platform.get(url, this.#world.token("trader"));
      const { events } = reply.json() as {
        readonly events: readonly { readonly seq: number; readonly channel: string }[];
      };
      const due = events.filter(({ seq, channel }) => seq <= last && FOLLOWED.has(channel));
      const missing = due.filter(({ seq }) => !received.has(seq));
      if (missing.length > 0)
        this.#fail("the witness did not receive all events", JSON.stringify(missing.slice(0, 3)), "");
      after = events.at(-1)?.seq ?? last;
      if (after >= last || events.length === 0) return;
    }
  }

  #note(kind: string, outcome: Outcome): void {
    const counts = this.#outcomes.get(kind) ?? new Map<string, number>();
    this.#outcomes.set(kind, counts);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }

  #fail(kind: string, sent: string, answered: string): void {
    this.#failures.add(`sockets: ${kind}`, { how: `seed ${this.#options.seed}`, sent: sent.slice(0, 1_000), answered });
  }

  /** A client that sends messages one by one and waits for the answer to each. */
  async #talk(prng: Prng): Promise<void> {
    const path = prng.pick(PATHS);
    const client = new Talker(`ws://127.0.0.1:${this.#port}${path}`);
    this.#connections += 1;
    if (!(await client.isOpen())) {
      this.#fail(`${path} cannot be opened`, path, client.ending);
      return;
    }
    for (let sent = 0; sent < PER_CONNECTION && client.isUp; sent += 1) {
      const message = makeMessage(prng, this.#secrets);
      this.#messages += 1;
      this.#judge(message, await client.ask(message.text, prng.isIn(10)), client);
    }
    client.end();
  }

  #judge({ kind, text }: SocketMessage, answer: string | undefined, client: Talker): void {
    if (answer === undefined) {
      this.#note(kind, `closed ${client.code ?? "not"}`);
      if (client.code === undefined) this.#fail(`${kind}: no answer`, text, "");
      else if (!PROPER_CODES.has(client.code)) this.#fail(`${kind}: closed with ${client.code}`, text, client.ending);
      return;
    }
    const body = JSON.parse(answer) as Readonly<Record<string, unknown>>;
    const error = body["error"];
    const isBotError =
      typeof error === "object" &&
      error !== null &&
      "code" in error &&
      "msg" in error &&
      typeof error.code === "number";
    const isOwnError = body["type"] === "error" && typeof body["code"] === "string" && typeof error === "string";
    const isRefused = error !== undefined || body["type"] === "error";
    if (isRefused && !isBotError && !isOwnError) this.#fail(`${kind}: an error in no known form`, text, answer);
    if (/node_modules|\.ts:\d|\bat .* \(|is not a function|Cannot read/.test(answer)) {
      this.#fail(`${kind}: the answer says too much`, text, answer);
    }
    this.#note(kind, isRefused ? "refused" : "done");
  }

  /** A client that violates the WebSocket protocol itself. */
  async #sendRaw(prng: Prng): Promise<void> {
    const { kind, bytes, codes } = makeRawFrames(prng);
    const socket = await openSocket(this.#port);
    this.#connections += 1;
    this.#messages += 1;
    const opened = await exchangeBytes(socket, upgradeRequest("/ws"), (got) => got.includes("\r\n\r\n"));
    if (!opened.bytes.toString("latin1").startsWith("HTTP/1.1 101")) {
      this.#fail(`${kind}: the upgrade failed`, "", opened.bytes.toString("latin1").slice(0, 300));
      socket.destroy();
      return;
    }
    const ending = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    const patience = codes.length === 0 ? 100 : ANSWER_LIMIT_ms;
    const answer = await Promise.race([
      exchangeBytes(socket, bytes, (got) => closeCode(got) !== undefined),
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), patience)),
    ]);
    const code = answer === undefined ? undefined : closeCode(answer.bytes);
    this.#note(`frames: ${kind}`, code === undefined ? "no close" : `closed ${code}`);
    const isRight =
      code === undefined ? codes.length === 0 : codes.length === 0 ? PROPER_CODES.has(code) : codes.includes(code);
    if (!isRight)
      this.#fail(
        `frames, ${kind}: closed with ${code}, not with ${codes.join(" or ")}`,
        bytes.toString("hex").slice(0, 200),
        "",
      );
    socket.destroy();
    await ending;
  }

  /** Handshakes with invalid paths, versions, keys and origins. */
  async #knock(prng: Prng): Promise<void> {
    const name = encoded(prng, badText(prng).slice(0, 400));
    const path = prng.pick([
      ...[`/ws/${name}`, `/stream?streams=${name}`, `/stream?streams=${name}/${name}`, `/ws?listenKey=${name}`],
      ...[
        `/${name}/ws`,
        "/ws/../ws",
        "/wss",
        "/stream/%zz",
        "/ws?",
        `/ws/${"a".repeat(64)}`,
        `/ws/${this.#secrets.listenKey}`,
      ],
      ...[`/stream?streams=${Array.from({ length: 500 }, () => "x@trade").join("/")}`, "/", "/api/v1/markets"],
    ]);
    const headers = prng.pick<Readonly<Record<string, string>>>([
      {},
      {},
      { "Sec-WebSocket-Version": "12" },
      { "Sec-WebSocket-Key": "short" },
      { Origin: "https://elsewhere.example" },
      { Host: "rebind.example" },
      { "Sec-WebSocket-Protocol": "\u00ff,," },
      { "Sec-WebSocket-Extensions": "permessage-deflate; server_max_window_bits=99" },
      { "Sec-WebSocket-Extensions": ";;==" },
      { Upgrade: "h2c" },
    ]);
    const socket = await openSocket(this.#port);
    this.#connections += 1;
    this.#messages += 1;
    const answer = await exchangeBytes(socket, upgradeRequest(path, headers), (got) => got.includes("\r\n\r\n"));
    socket.destroy();
    const status = /^HTTP\/1\.1 (\d{3})/.exec(answer.bytes.toString("latin1"))?.[1];
    this.#note("upgrade", status ?? "no answer");
    if (status === undefined || Number(status) >= 500) {
      this.#fail(
        `an upgrade is answered with ${status}`,
        `${path} ${JSON.stringify(headers)}`,
        answer.bytes.toString("latin1").slice(0, 300),
      );
    }
  }

  #show(): void {
    const now_ms = performance.now();
    if (now_ms - this.#shown_ms < SHOW_EVERY_ms) return;
    this.#shown_ms = now_ms;
    const all = `${this.#messages} of ${this.#options.messages} messages on ${this.#connections} connections`;
    this.#options.onProgress?.(`sockets: ${all}, ${this.#failures.count} failures`);
  }
}
