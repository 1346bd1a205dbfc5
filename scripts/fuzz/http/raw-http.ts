import { Prng } from "../../../packages/engine/src/book/testing/prng.ts";
import type { Failures } from "../failures.ts";
import { exchangeBytes, openSocket } from "../sockets/raw-client.ts";
import { badText } from "./bad-values.ts";
import type { World } from "./world.ts";

export interface RawOptions {
  readonly connections: number;
  readonly seed: number;
  readonly onProgress?: (line: string) => void;
}

export interface RawReport {
  readonly connections: number;
  /** By kind, then by the received statuses. */
  readonly outcomes: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

interface Bytes {
  readonly text: string;
  /** The required number of answers; undefined if none may come, because no whole request was sent. */
  readonly answers?: number;
}

const AT_ONCE = 8;
const ANSWER_LIMIT_ms = 30_000;
const QUIET_ms = 100;
const SHOW_EVERY_ms = 5_000;
const GOOD = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n";
const POST = "POST /api/v1/auth/nonce HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Type: application/json\r\n";
const BODY = '{"address":"0x52908400098527886e0f7030069857d2e4169ee7"}';
const CLOSE = "Connection: close\r\n";

/** Malformed HTTP. Bytes are written as latin1. */
const KINDS: Readonly<Record<string, (prng: Prng) => Bytes>> = {
  "a good request": () => ({ text: `${GOOD}${CLOSE}\r\n`, answers: 1 }),
  "many at once": () => ({ text: `${`${GOOD}\r\n`.repeat(19)}${GOOD}${CLOSE}\r\n`, answers: 20 }),
  "many posts at once": () => {
    const one = `${POST}Content-Length: ${BODY.length}\r\n`;
    return { text: `${`${one}\r\n${BODY}`.repeat(9)}${one}${CLOSE}\r\n${BODY}`, answers: 10 };
  },
  "another version": (prng) => ({
    text: `GET /healthz HTTP/${prng.pick(["9.9", "0.9", "2.0", "1.2", "x"])}\r\nHost: a\r\n\r\n`,
    answers: 1,
  }),
  "no version": () => ({ text: "GET /healthz\r\n\r\n", answers: 1 }),
  "no host": () => ({ text: `GET /healthz HTTP/1.1\r\n${CLOSE}\r\n`, answers: 1 }),
  "two hosts": () => ({ text: `${GOOD}Host: elsewhere.example\r\n${CLOSE}\r\n` }),
  "a method that is none": (prng) => ({
    text: `${prng.pick(["GETT", "get", "FOO", "\u0000", "G ET", "PRI"])} / HTTP/1.1\r\n\r\n`,
  }),
  "a control character in a header": (prng) => ({
    text: `${GOOD}X-A: a${prng.pick(["\u0000", "\u0001", "\u007f", "\u000b"])}b\r\n${CLOSE}\r\n`,
    answers: 1,
  }),
  "a header without a colon": () => ({ text: `${GOOD}nonsense\r\n${CLOSE}\r\n`, answers: 1 }),
  "a header on two lines": () => ({ text: `${GOOD}X-A: a\r\n b\r\n${CLOSE}\r\n` }),
  "a space before the colon": () => ({ text: `${GOOD}X-A : a\r\n${CLOSE}\r\n` }),
  "headers too large": (prng) => ({
    text: `${GOOD}X-A: ${"a".repeat(prng.pick([17_000, 40_000]))}\r\n${CLOSE}\r\n`,
    answers: 1,
  }),
  "thousands of headers": () => ({ text: `${GOOD}${"X-A: a\r\n".repeat(1_990)}${CLOSE}\r\n` }),
  "a path too long": (prng) => ({
    text: `GET /${"a".repeat(prng.pick([5_000, 15_000]))} HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n${CLOSE}\r\n`,
  }),
  "bytes in the path": (prng) => ({
    text: `GET /api/v1/${prng.pick(["\u00ff\u00fe", "\u00c3\u00a9", "a b", "<>", "\\..\\", "%", "\u0080"])} HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n${CLOSE}\r\n`,
  }),
  "an address as the path": (prng) => ({
    text: `GET ${prng.pick(["http://elsewhere.example/healthz", "//healthz", "*", "healthz", "http://"])} HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n${CLOSE}\r\n`,
  }),
  "a tunnel": () => ({ text: "CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n" }),
  "a length that is none": (prng) => ({
    text: `${POST}Content-Length: ${prng.pick(["-1", "x", "1e3", "0x10", "1 2", "99999999999999999999"])}\r\n${CLOSE}\r\n`,
  }),
  "two lengths": () => ({ text: `${POST}Content-Length: 5\r\nContent-Length: 6\r\n${CLOSE}\r\nhello!` }),
  "a length and chunks": () => ({
    text: `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n${CLOSE}\r\n0\r\n\r\n`,
  }),
  "a coding that is none": (prng) => ({
    text: `${POST}Transfer-Encoding: ${prng.pick(["gzip", "chunked, gzip", "xchunked", "identity"])}\r\n${CLOSE}\r\n0\r\n\r\n`,
  }),
  "good chunks": () => ({
    text: `${POST}Transfer-Encoding: chunked\r\n${CLOSE}\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
    answers: 1,
  }),
  "bad chunks": (prng) => ({
    text: `${POST}Transfer-Encoding: chunked\r\n${CLOSE}\r\n${prng.pick(["zz\r\nab\r\n", "ffffffffffffffff\r\na", "-1\r\n", "5\r\nhel", "5;a=b\r\nhelloX", "\r\n"])}`,
  }),
  "a body that is too large": () => ({
    text: `${POST}Content-Length: 300000\r\n${CLOSE}\r\n${"x".repeat(300_000)}`,
    answers: 1,
  }),
  "a body that never comes": () => ({ text: `${POST}Content-Length: 50\r\n${CLOSE}\r\n{` }),
  "a body behind a GET": () => ({ text: `${GOOD}Content-Length: 4\r\n${CLOSE}\r\nbody`, answers: 1 }),
  "expects 100-continue": () => ({
    text: `${POST}Expect: 100-continue\r\nContent-Length: ${BODY.length}\r\n${CLOSE}\r\n${BODY}`,
  }),
  "expects something else": () => ({ text: `${GOOD}Expect: something\r\n${CLOSE}\r\n`, answers: 1 }),
  "bare line feeds": () => ({ text: `${GOOD}${CLOSE}\r\n`.replaceAll("\r\n", "\n") }),
  "empty lines first": () => ({ text: `\r\n\r\n${GOOD}${CLOSE}\r\n` }),
  "an upgrade to something else": () => ({ text: `${GOOD}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n` }),
  "the beginning of TLS": () => ({ text: "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003" }),
  noise: (prng) => ({
    text: Array.from({ length: prng.between(1, 600) }, () => String.fromCharCode(prng.below(256))).join(""),
  }),
  "a request with a byte changed": (prng) => {
    const text = `${POST}Content-Length: ${BODY.length}\r\n${CLOSE}\r\n${BODY}`;
    const at = prng.below(text.length);
    return { text: `${text.slice(0, at)}${String.fromCharCode(prng.below(256))}${text.slice(at + 1)}` };
  },
  "a request cut off": (prng) => ({
    text: `${POST}Content-Length: ${BODY.length}\r\n\r\n${BODY}`.slice(0, prng.between(1, 150)),
  }),
  "something else in a header": (prng) => ({
    text: `${GOOD}Authorization: ${Buffer.from(badText(prng).slice(0, 2_000).toWellFormed())
      .toString("latin1")
      .replaceAll(/[\r\n]/g, " ")}\r\n${CLOSE}\r\n`,
  }),
};

export const RAW_HTTP_KINDS = Object.keys(KINDS);

/** The statuses of all received answers. */
function statusesOf(bytes: Buffer): number[] {
  return [...bytes.toString("latin1").matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Malformed HTTP over real sockets. */
export class RawHttpRun {
  readonly #port: number;
  readonly #options: RawOptions;
  readonly #failures: Failures;
  readonly #outcomes = new Map<string, Map<string, number>>();
  #connections = 0;
  #shown_ms = performance.now();

  private constructor(port: number, options: RawOptions, failures: Failures) {
    this.#port = port;
    this.#options = options;
    this.#failures = failures;
  }

  static async run(world: World, options: RawOptions, failures: Failures): Promise<RawReport> {
    const run = new RawHttpRun(await world.listen(), options, failures);
    await Promise.all(Array.from({ length: AT_ONCE }, () => run.#work()));
    await run.#once("a good request", new Prng(1));
    return { connections: run.#connections, outcomes: run.#outcomes };
  }

  async #work(): Promise<void> {
    while (this.#connections < this.#options.connections) {
      const prng = new Prng(this.#options.seed * 1_000_003 + this.#connections);
      await this.#once(prng.pick(RAW_HTTP_KINDS), prng);
      const now_ms = performance.now();
      if (now_ms - this.#shown_ms < SHOW_EVERY_ms) continue;
      this.#shown_ms = now_ms;
      this.#options.onProgress?.(`raw http: ${this.#connections} of ${this.#options.connections} connections`);
    }
  }

  async #once(kind: string, prng: Prng): Promise<void> {
    this.#connections += 1;
    const { text, answers } = KINDS[kind]!(prng);
    const socket = await openSocket(this.#port);
    const isSlow = prng.isIn(10);
    const bytes = Buffer.from(text, "latin1");
    const middle = isSlow ? prng.below(bytes.length) : 0;
    if (isSlow) {
      socket.write(bytes.subarray(0, middle));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const exchanged = exchangeBytes(socket, bytes.subarray(middle), () => false);
    const patience = new Promise<undefined>((resolve) =>
      setTimeout(() => resolve(undefined), answers === undefined ? QUIET_ms : ANSWER_LIMIT_ms),
    );
    if (answers === undefined) await Promise.race([exchanged, patience]);
    else if ((await Promise.race([exchanged, patience])) === undefined)
      this.#fail(kind, "it was not answered in time", text, "");
    socket.destroy();
    const got = (await exchanged).bytes;
    const statuses = statusesOf(got);
    const counts = this.#outcomes.get(kind) ?? new Map<string, number>();
    this.#outcomes.set(kind, counts);
    const outcome = [...new Set(statuses)].join("+") || "none";
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    this.#judge(kind, text, statuses, got.toString("latin1"), answers);
  }

  #judge(kind: string, text: string, statuses: readonly number[], got: string, answers: number | undefined): void {
    if (statuses.some((status) => status >= 500)) this.#fail(kind, `answered with ${statuses.join(", ")}`, text, got);
    if (answers !== undefined && statuses.length !== answers) {
      this.#fail(kind, `${statuses.length} answers instead of ${answers}`, text, got);
    }
    if (/node_modules|\.ts:\d|\bat .* \(|FST_ERR/.test(got)) this.#fail(kind, "the answer says too much", text, got);
    const isRefused = statuses.some((status) => status >= 400);
    if (isRefused && !/content-type: application\/json/i.test(got)) this.#fail(kind, "refused without JSON", text, got);
  }

  #fail(kind: string, problem: string, text: string, got: string): void {
    this.#failures.add(`raw http, ${kind}: ${problem}`, {
      how: `seed ${this.#options.seed}`,
      sent: JSON.stringify(text.slice(0, 400)),
      answered: JSON.stringify(got.slice(0, 400)),
    });
  }
}
