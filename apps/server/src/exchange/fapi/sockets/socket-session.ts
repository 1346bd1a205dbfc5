import type { ActiveApiKey, SignedRequest } from "../../../identity/index.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { FapiError } from "../../../kernel/errors.ts";
import type { Access, Principal } from "../../../kernel/http/access.ts";
import { fapiRefusal } from "../../../kernel/http/error-replies.ts";

export interface SessionKeys {
  find(apiKey: string): ActiveApiKey | undefined;
  verifySignedRequest(request: SignedRequest): ActiveApiKey;
  verifySessionRequest(request: SignedRequest): ActiveApiKey;
}

export interface SocketSessionOptions {
  readonly keys: SessionKeys;
  readonly clock: Clock;
  readonly address: string;
  /** Whether replies show the limits, unless a request says otherwise. */
  readonly showsLimits: boolean;
}

interface LoggedOn {
  readonly apiKey: string;
  readonly since_ms: number;
}

/** What the connection's owner is told of it. */
interface SessionStatus {
  readonly apiKey: string | null;
  readonly authorizedSince: number | null;
  readonly connectedSince: number;
  readonly returnRateLimits: boolean;
  readonly serverTime: number;
}

/** WSA-2: who speaks over a connection: the owner of the key in each request, or of the one that has logged on. */
export class SocketSession {
  readonly showsLimits: boolean;
  readonly #options: SocketSessionOptions;
  readonly #connected_ms: number;
  #loggedOn: LoggedOn | undefined;

  constructor(options: SocketSessionOptions) {
    this.#options = options;
    this.showsLimits = options.showsLimits;
    this.#connected_ms = options.clock.now();
  }

  /** The key of a request; undefined if it names none and nobody has logged on. */
  keyFor(params: ReadonlyMap<string, string>): string | undefined {
    return params.get("apiKey") ?? this.#loggedOn?.apiKey;
  }

  /** A request with its own key or a signature is checked like one over HTTP. */
  identify(params: ReadonlyMap<string, string>, rawQuery: string, access: Access): Principal {
    const { keys } = this.#options;
    const request = this.#request(params, rawQuery, access.apiKey ?? "READ");
    const isSigned = params.has("apiKey") || params.has("signature") || this.#loggedOn === undefined;
    const { wallet, apiKey } = isSigned ? keys.verifySignedRequest(request) : this.#inSession(request);
    return { kind: "wallet", address: wallet, apiKey };
  }

  logOn(params: ReadonlyMap<string, string>, rawQuery: string): SessionStatus {
    const { keys, clock } = this.#options;
    const { apiKey, signingKey } = keys.verifySignedRequest(this.#request(params, rawQuery, "ANY"));
    if (signingKey.kind !== "ed25519") {
      const msg = "Only a key with an Ed25519 public key can log on.";
      throw fapiRefusal("KEY_REFUSED", { msg, details: { rule: "ed25519" } });
    }
    this.#loggedOn = { apiKey, since_ms: clock.now() };
    return this.status();
  }

  logOut(): SessionStatus {
    this.#loggedOn = undefined;
    return this.status();
  }

  /** The session of a key that was revoked or has expired is over. */
  status(): SessionStatus {
    const { keys, clock } = this.#options;
    const now_ms = clock.now();
    const key = this.#loggedOn && keys.find(this.#loggedOn.apiKey);
    if (key === undefined || key.expiresAt_ms <= now_ms) this.#loggedOn = undefined;
    return {
      apiKey: this.#loggedOn?.apiKey ?? null,
      authorizedSince: this.#loggedOn?.since_ms ?? null,
      connectedSince: this.#connected_ms,
      returnRateLimits: this.showsLimits,
      serverTime: now_ms,
    };
  }

  #request(params: ReadonlyMap<string, string>, rawQuery: string, permission: SignedRequest["permission"]) {
    const { address, clock } = this.#options;
    return { apiKey: this.keyFor(params), rawQuery, rawBody: "", ip: address, now_ms: clock.now(), permission };
  }

  #inSession(request: SignedRequest): ActiveApiKey {
    try {
      return this.#options.keys.verifySessionRequest(request);
    } catch (error) {
      if (error instanceof FapiError) this.status();
      throw error;
    }
  }
}
