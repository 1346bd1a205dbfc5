import { type Static, Type } from "typebox";
import { Address, IsoTime, MESSAGE_EXAMPLE } from "./shapes.ts";

export const Role = Type.Union([Type.Literal("wallet"), Type.Literal("admin"), Type.Literal("bd")]);
export type Role = Static<typeof Role>;

const REFRESH_EXAMPLE = "mB0Xk3F0aB1c2D3e4F5g6H7i8J9kL0mN1oP2qR3sT4u";
const KEY_EXAMPLE = "SSCX2wiFfW6HxUXgQ4fV5s9VqoZHHDE9CFBijZAAHFG2mfrUBEAzdWVcbDLzgFRa";
const PUBLIC_KEY_EXAMPLE = "MCowBQYDK2VwAyEAfvbZFhaEt3cCdvDFI6cdi6ikRxFANfPmAr1s7fz1Z4o=";
const SECRET_EXAMPLE = "kSYeVPH5L4BYFaXdoXKnAmVvan6FbUb5Aoeo2XCD5Y9Yinu2GDCFvcc9qTdNTiUK";

export const NonceRequest = Type.Object({ address: Address });
export const NonceReply = Type.Object({
  nonce: Type.String({ examples: ["k3F0aB1c2D3e4F5g6H7i8J9k"] }),
  message_template: Type.String({
    description: "A complete EIP-4361 message for this nonce, ready to be signed",
    examples: [MESSAGE_EXAMPLE],
  }),
  expires_at: IsoTime,
});
export type NonceReply = Static<typeof NonceReply>;

export const LoginRequest = Type.Object({
  message: Type.String({
    maxLength: 4096,
    description: "The EIP-4361 message that was signed",
    examples: [MESSAGE_EXAMPLE],
  }),
  signature: Type.String({
    maxLength: 4096,
    description: "personal_sign signature, 0x and 130 hex digits",
    examples: [`0x${"a1".repeat(64)}1b`],
  }),
});
export const StaffLoginRequest = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 64, examples: ["admin"] }),
  password: Type.String({ minLength: 1, maxLength: 256, examples: ["correct-horse-battery"] }),
});
export const RefreshRequest = Type.Object({
  refresh_token: Type.String({ minLength: 1, maxLength: 256, examples: [REFRESH_EXAMPLE] }),
});

const tokenFields = {
  access_token: Type.String({
    examples: ["eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJyb2xlIjoid2FsbGV0In0.c2lnbmF0dXJl"],
  }),
  refresh_token: Type.String({
    description: "Works once; the reply contains the next one",
    examples: [REFRESH_EXAMPLE],
  }),
  token_type: Type.Literal("Bearer"),
  expires_in: Type.Integer({ description: "Lifetime of the access token in seconds", examples: [3600] }),
  role: Role,
};
export const TokenReply = Type.Object({
  ...tokenFields,
  address: Type.Optional(
    Type.String({
      description: "The wallet; absent for staff",
      examples: ["0x52908400098527886e0f7030069857d2e4169ee7"],
    }),
  ),
  username: Type.Optional(Type.String({ description: "The staff member; absent for wallets", examples: ["admin"] })),
});
export type TokenReply = Static<typeof TokenReply>;

export const LogoutReply = Type.Object({ logged_out: Type.Literal(true) });
export type LogoutReply = Static<typeof LogoutReply>;

export const Permission = Type.Union([Type.Literal("READ"), Type.Literal("TRADE"), Type.Literal("WITHDRAW")]);
export type Permission = Static<typeof Permission>;

export const ApiKeyRequest = Type.Object({
  label: Type.String({ examples: ["market maker"] }),
  permissions: Type.Array(Permission, { examples: [["READ", "TRADE"]] }),
  ip_whitelist: Type.Optional(
    Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: "IPs and networks the key may be used from; absent or empty means anywhere",
      examples: [["203.0.113.7", "2001:db8::/48"]],
    }),
  ),
  expires_at: Type.Optional(Type.Union([Type.String(), Type.Null()], { examples: ["2027-01-01T00:00:00Z"] })),
  public_key: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description:
        "An Ed25519 public key: PEM, or base64 of its SubjectPublicKeyInfo or of its 32 bytes. Requests are then signed with the private key instead of a secret.",
      examples: [PUBLIC_KEY_EXAMPLE],
    }),
  ),
});
export type ApiKeyRequest = Static<typeof ApiKeyRequest>;
const apiKeyFields = {
  api_key: Type.String({ examples: [KEY_EXAMPLE] }),
  label: Type.String({ examples: ["market maker"] }),
  permissions: Type.Array(Permission),
  ip_whitelist: Type.Array(Type.String(), { examples: [["203.0.113.7"]] }),
  created_at: IsoTime,
  expires_at: Type.Union([IsoTime, Type.Null()]),
  public_key: Type.Optional(
    Type.String({
      description: "Of an Ed25519 key: its SubjectPublicKeyInfo in base64",
      examples: [PUBLIC_KEY_EXAMPLE],
    }),
  ),
};
export const ApiKey = Type.Object(apiKeyFields);
export type ApiKey = Static<typeof ApiKey>;
export const NewApiKey = Type.Object({
  ...apiKeyFields,
  api_secret: Type.String({ description: "Shown once; empty for an Ed25519 key", examples: [SECRET_EXAMPLE] }),
});
export type NewApiKey = Static<typeof NewApiKey>;
export const RevokedApiKey = Type.Object({
  api_key: Type.String({ examples: [KEY_EXAMPLE] }),
  revoked: Type.Literal(true),
});
export type RevokedApiKey = Static<typeof RevokedApiKey>;
