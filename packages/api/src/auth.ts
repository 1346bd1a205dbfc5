import { type Static, Type } from "typebox";
import { Address, IsoTime } from "./shapes.ts";

export const Role = Type.Union([Type.Literal("wallet"), Type.Literal("admin"), Type.Literal("bd")]);
export type Role = Static<typeof Role>;

export const NonceRequest = Type.Object({ address: Address });
export const NonceReply = Type.Object({
  nonce: Type.String({ examples: ["k3F0aB1c2D3e4F5g6H7i"] }),
  message_template: Type.String({ description: "A complete EIP-4361 message for this nonce, ready to be signed" }),
  expires_at: IsoTime,
});
export type NonceReply = Static<typeof NonceReply>;

export const LoginRequest = Type.Object({
  message: Type.String({ maxLength: 4096, description: "The EIP-4361 message that was signed" }),
  signature: Type.String({ maxLength: 4096, description: "personal_sign signature, 0x and 130 hex digits" }),
});
export const StaffLoginRequest = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 64, examples: ["admin"] }),
  password: Type.String({ minLength: 1, maxLength: 256 }),
});
export const RefreshRequest = Type.Object({ refresh_token: Type.String({ minLength: 1, maxLength: 256 }) });

const tokenFields = {
  access_token: Type.String(),
  refresh_token: Type.String({ description: "Works once; the reply to its use holds the next one" }),
  token_type: Type.Literal("Bearer"),
  expires_in: Type.Integer({ description: "Seconds the access token lives", examples: [3600] }),
  role: Role,
};
export const TokenReply = Type.Object({
  ...tokenFields,
  address: Type.Optional(Type.String({ description: "The wallet; absent for staff" })),
  username: Type.Optional(Type.String({ description: "The staff member; absent for wallets" })),
});
export type TokenReply = Static<typeof TokenReply>;

export const LogoutReply = Type.Object({ logged_out: Type.Literal(true) });

export const Permission = Type.Union([Type.Literal("READ"), Type.Literal("TRADE"), Type.Literal("WITHDRAW")]);
export type Permission = Static<typeof Permission>;

export const ApiKeyRequest = Type.Object({
  label: Type.String({ examples: ["market maker"] }),
  permissions: Type.Array(Permission, { examples: [["READ", "TRADE"]] }),
  ip_whitelist: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  expires_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
const apiKeyFields = {
  api_key: Type.String(),
  label: Type.String(),
  permissions: Type.Array(Permission),
  ip_whitelist: Type.Array(Type.String()),
  created_at: IsoTime,
  expires_at: Type.Union([IsoTime, Type.Null()]),
};
export const ApiKey = Type.Object(apiKeyFields);
export type ApiKey = Static<typeof ApiKey>;
export const NewApiKey = Type.Object({ ...apiKeyFields, api_secret: Type.String({ description: "Shown once" }) });
export type NewApiKey = Static<typeof NewApiKey>;
export const RevokedApiKey = Type.Object({ api_key: Type.String(), revoked: Type.Literal(true) });
