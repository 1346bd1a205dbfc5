export type { ApiKeys } from "./api-keys.ts";
export { createAuthenticator } from "./authenticator.ts";
export { type Bd, type BdAccounts, restoreLostBds } from "./bd-accounts.ts";
export { createIdentity, type Identity } from "./identity.ts";
export { identityMigrations } from "./migrations.ts";
export { registerIdentityRoutes } from "./routes.ts";
export { sharedIps } from "./shared-ips.ts";
export { isUsername, PASSWORD_LIMIT_CHARS, USERNAME_RULE } from "./staff.ts";
export type { AccessTokens } from "./tokens.ts";
