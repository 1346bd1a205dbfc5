import type { AuditLog } from "../kernel/audit/audit-log.ts";
import { type Bus, noBus } from "../kernel/bus/bus.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { Random } from "../kernel/random.ts";
import { SecretBox } from "../kernel/secret-box.ts";
import { type ActiveApiKey, ApiKeys } from "./api-keys.ts";
import { BdAccounts } from "./bd-accounts.ts";
import { BonusKey } from "./bonus-key.ts";
import { LoginFailures } from "./login-failures.ts";
import { Nonces } from "./nonces.ts";
import { Passwords } from "./passwords.ts";
import { Revocations } from "./revocations.ts";
import { Sessions } from "./sessions.ts";
import { type SignedRequest, verifySessionRequest, verifySignedRequest } from "./signed-request.ts";
import { signInTarget } from "./siwe.ts";
import { Staff } from "./staff.ts";
import { identityDb } from "./tables.ts";
import { AccessTokens } from "./tokens.ts";
import { WalletSignIn } from "./wallet-sign-in.ts";
import { WalletSweep } from "./wallet-sweep.ts";

export interface IdentitySettings {
  readonly jwtSecret: string;
  readonly secretsKey: string;
  readonly publicUrl: string;
  readonly chainId: number;
  readonly bonusAdminApiKey: string;
}

export interface IdentityOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly random: Random;
  readonly audit: AuditLog;
  readonly settings: IdentitySettings;
  /** To the other processes that answer clients. */
  readonly bus?: Bus;
}

/** The number of removed rows by kind. */
export interface SweepReport {
  readonly nonces: number;
  readonly sessions: number;
  readonly login_failures: number;
}

export interface Identity {
  readonly nonces: Nonces;
  readonly walletSignIn: WalletSignIn;
  readonly staff: Staff;
  readonly bds: BdAccounts;
  readonly tokens: AccessTokens;
  readonly sessions: Sessions;
  readonly apiKeys: ApiKeys;
  readonly bonusKey: BonusKey;
  /** Checks a signed request of /fapi synchronously. */
  verifySignedRequest(request: SignedRequest): ActiveApiKey;
  /** The same for a request of an open session, which needs no signature. */
  verifySessionRequest(request: SignedRequest): ActiveApiKey;
  /** Reads the in-memory state of authentication. Call it before the first request. */
  load(): Promise<void>;
  /** Removes expired rows. */
  sweep(): Promise<SweepReport>;
  /** SEC-11. */
  readonly walletSweep: WalletSweep;
}

/** Builds everything that authenticates callers. */
export function createIdentity(options: IdentityOptions): Identity {
  const { database, clock, random, audit, settings, bus = noBus } = options;
  const db = identityDb(database);
  const target = signInTarget(settings.publicUrl, settings.chainId);
  const revocations = new Revocations(clock);
  const isRevoked = (sessionId: string) => revocations.has(sessionId);
  const tokens = new AccessTokens({ jwtSecret: settings.jwtSecret, clock, random, isRevoked });
  const sessions = new Sessions({ db, clock, random, audit, tokens, revocations, bus });
  const nonces = new Nonces({ db, clock, random, target });
  const failures = new LoginFailures({ db, clock, secretsKey: settings.secretsKey });
  const passwords = new Passwords(random);
  const secretBox = new SecretBox({ secretsKey: settings.secretsKey, purpose: "api-key-secret", random });
  const apiKeys = new ApiKeys({ db, clock, random, audit, secretBox, bus });
  return {
    nonces,
    walletSignIn: new WalletSignIn({ db, clock, nonces, sessions, target }),
    staff: new Staff({ db, clock, random, audit, passwords, failures, sessions }),
    bds: new BdAccounts({ db, clock, random, passwords, sessions }),
    tokens,
    sessions,
    apiKeys,
    bonusKey: new BonusKey(settings.bonusAdminApiKey),
    verifySignedRequest: (request) => verifySignedRequest(apiKeys, request),
    verifySessionRequest: (request) => verifySessionRequest(apiKeys, request),
    walletSweep: new WalletSweep({ db, clock }),
    async load() {
      await sessions.load();
      await apiKeys.load();
    },
    async sweep() {
      return {
        nonces: Number(await nonces.sweep()),
        sessions: Number(await sessions.sweep()),
        login_failures: Number(await failures.sweep()),
      };
    },
  };
}
