/** For tests: the door on an exchange in memory, and clients that sign. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { Permission } from "@bourse/api";
import type { ActiveApiKey } from "../../../identity/api-keys.ts";
import { Ed25519Key } from "../../../identity/ed25519-key.ts";
import { HmacKey } from "../../../identity/hmac-key.ts";
import { verifySessionRequest, verifySignedRequest } from "../../../identity/signed-request.ts";
import { createRateHooks } from "../../../kernel/http/rate-hooks.ts";
import { createMetrics } from "../../../kernel/metrics.ts";
import type { DoorSocket } from "../../streams/stream-server.ts";
import { type BenchOptions, createBench } from "../testing.ts";
import { RequestDoor, type RequestDoorOptions } from "./request-door.ts";

export type Params = Record<string, string | number | boolean | null>;

export interface SocketReply {
  readonly id: number | string | null;
  readonly status: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly msg: string; readonly details?: Record<string, unknown> };
  readonly rateLimits?: readonly {
    readonly rateLimitType: string;
    readonly interval: string;
    readonly count: number;
  }[];
}

/** Sorted by name, as it is signed; values raw or encoded. */
const signedText = (params: Params, isEncoded: boolean) =>
  Object.keys(params)
    .sort()
    .map((name) => `${name}=${isEncoded ? encodeURIComponent(String(params[name])) : params[name]}`)
    .join("&");

/** A key and what signs for it. */
export interface TestKey {
  readonly apiKey: string;
  signed(params: Params, isEncoded?: boolean): Params;
}

/** A socket that remembers what it was sent. */
export class FakeSocket implements DoorSocket {
  readonly address: string;
  readonly replies: SocketReply[] = [];
  closedWith: number | undefined;
  isReading = true;
  readonly #receive: (text: string) => void;
  readonly #waiting = new Map<SocketReply["id"], (reply: SocketReply) => void>();
  #lastId = 0;

  constructor(door: RequestDoor, address: string, url: string) {
    this.address = address;
    this.#receive = door.open(this, url);
  }

  sendJson(message: object): void {
    const reply = JSON.parse(JSON.stringify(message)) as SocketReply;
    this.replies.push(reply);
    this.#waiting.get(reply.id)?.(reply);
    this.#waiting.delete(reply.id);
  }

  setReading(isReading: boolean): void {
    this.isReading = isReading;
  }

  close(code: number): void {
    this.closedWith = code;
  }

  /** Sends a text as it is; resolves with the reply to this id. */
  send(text: string, id: SocketReply["id"]): Promise<SocketReply> {
    const answered = new Promise<SocketReply>((resolve) => this.#waiting.set(id, resolve));
    this.#receive(text);
    return answered;
  }

  ask(method: string, params?: Params): Promise<SocketReply> {
    this.#lastId += 1;
    const id = this.#lastId;
    return this.send(JSON.stringify({ id, method, ...(params === undefined ? {} : { params }) }), id);
  }
}

export async function createDoorBench(
  options: BenchOptions & Pick<Partial<RequestDoorOptions>, "beforeHandling"> = {},
) {
  const bench = await createBench(options);
  const { clock } = bench;
  const active = new Map<string, ActiveApiKey>();
  const keys = { find: (apiKey: string) => active.get(apiKey) };
  const errors: unknown[] = [];
  const door = new RequestDoor({
    operations: bench.fapi.sockets,
    keys: {
      ...keys,
      verifySignedRequest: (request) => verifySignedRequest(keys, request),
      verifySessionRequest: (request) => verifySessionRequest(keys, request),
    },
    rate: createRateHooks({ limits: bench.limits, metrics: createMetrics() }),
    clock,
    metrics: createMetrics(),
    beforeHandling: options.beforeHandling,
    onError: (error) => errors.push(error),
  });
  let made = 0;

  function addKey(wallet: string, terms: Partial<ActiveApiKey>, signer: (text: string) => string): TestKey {
    made += 1;
    const apiKey = String(made).padStart(64, "k");
    active.set(apiKey, {
      apiKey,
      wallet,
      permissions: new Set<Permission>(["READ", "TRADE"]),
      signingKey: new HmacKey("secret"),
      ipWhitelist: undefined,
      expiresAt_ms: Number.POSITIVE_INFINITY,
      ...terms,
    });
    return {
      apiKey,
      signed(params, isEncoded = true) {
        const all = { apiKey, timestamp: clock.now(), ...params };
        return { ...all, signature: signer(signedText(all, isEncoded)) };
      },
    };
  }

  return {
    ...bench,
    door,
    socketErrors: errors,
    revoke: (apiKey: string) => active.delete(apiKey),
    connect: (url = "/ws-fapi/v1", address = "203.0.113.7") => new FakeSocket(door, address, url),
    hmacKey: (wallet: string, terms: Partial<ActiveApiKey> = {}) =>
      addKey(wallet, terms, (text) => createHmac("sha256", "secret").update(text).digest("hex")),
    ed25519Key(wallet: string, terms: Partial<ActiveApiKey> = {}) {
      const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync("ed25519");
      const spki = publicKey.export({ type: "spki", format: "der" }).toString("base64");
      const signer = (text: string) => sign(null, Buffer.from(text), privateKey).toString("base64");
      return addKey(wallet, { ...terms, signingKey: new Ed25519Key(spki) }, signer);
    },
  };
}

export type DoorBench = Awaited<ReturnType<typeof createDoorBench>>;
