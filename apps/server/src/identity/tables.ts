import type { Permission, Role } from "@bourse/api";
import type { ColumnType, Kysely, Transaction } from "kysely";
import type { Database } from "../kernel/database/database.ts";
import type { KernelTables } from "../kernel/database/tables.ts";

export type StaffRole = Exclude<Role, "wallet">;

/** A column that is null when the row is inserted. */
type LaterDate = ColumnType<Date | null, undefined, Date>;

/** Unused nonces. Only hashes are stored, so a leaked table cannot be used to sign in. */
export interface AuthNonceTable {
  nonce_hash: string;
  address: string;
  expires_at: Date;
}

export interface WalletTable {
  /** Lower case. */
  address: string;
  first_sign_in_at: ColumnType<Date, Date, never>;
  last_sign_in_at: Date;
  /** SEC-11: the wallet has left more behind than its sign-in. Found out when it would be forgotten. */
  is_kept: ColumnType<boolean, boolean | undefined, boolean>;
}

/** SEC-11: wallets that signed in long ago and left nothing behind. */
export interface ForgottenWalletTable {
  /** Its 20 bytes. */
  address: Uint8Array;
  first_sign_in_at: Date;
}

export interface StaffTable {
  id: string;
  /** As the owner writes it. */
  username: string;
  /** The normalised name, see `usernameKey`; unique. */
  username_key: string;
  display_name: string;
  role: StaffRole;
  status: "active" | "disabled";
  password_hash: string;
  created_at: Date;
}

/** Attempts under a name since its last success, whether or not the name exists. */
export interface LoginFailureTable {
  username_key: string;
  failures: number;
  locked_until: Date | null;
  last_failure_at: Date;
}

/** One sign-in and everything refreshed from it. */
export interface SessionTable {
  id: string;
  /** A wallet's address or a staff member's id. */
  subject: string;
  role: Role;
  /** The IP of the sign-in. */
  ip: string | null;
  created_at: Date;
  revoked_at: LaterDate;
  revoked_reason: ColumnType<string | null, undefined, string>;
}

export interface RefreshTokenTable {
  token_hash: string;
  session_id: string;
  issued_at: Date;
  expires_at: Date;
  used_at: LaterDate;
}

export interface ApiKeyTable {
  api_key: string;
  wallet: string;
  label: string;
  permissions: Permission[];
  /** Addresses and networks from which the key may be used; empty means any. */
  ip_whitelist: string[];
  sealed_secret: Uint8Array;
  /** WSA-2: of an Ed25519 key, its SubjectPublicKeyInfo in base64; null for a key that signs with its secret. */
  public_key: string | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: LaterDate;
}

/** A type alias because an interface cannot extend the kernel's tables here. */
export type IdentityTables = {
  auth_nonce: AuthNonceTable;
  wallet: WalletTable;
  forgotten_wallet: ForgottenWalletTable;
  staff: StaffTable;
  login_failure: LoginFailureTable;
  session: SessionTable;
  refresh_token: RefreshTokenTable;
  api_key: ApiKeyTable;
};

export type IdentityDb = Kysely<KernelTables & IdentityTables>;
export type IdentityTx = Transaction<KernelTables & IdentityTables>;

export const identityDb = (database: Pick<Database, "db">): IdentityDb => database.db.$extendTables<IdentityTables>();

/** The origin of a request, for the audit log and the session's record. */
export interface Origin {
  readonly ip: string | null;
  readonly request_id: string | null;
}
