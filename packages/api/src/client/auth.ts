import type { LogoutReply, NonceReply, TokenReply } from "../auth.ts";
import type { Call } from "./call.ts";

/** Sign-in of wallets and staff. */
export const authClient = ({ send }: Call) => ({
  nonce: (address: string) => send<NonceReply>("POST", "/api/v1/auth/nonce", { address }),
  login: (message: string, signature: string) => send<TokenReply>("POST", "/api/v1/auth/login", { message, signature }),
  staffLogin: (username: string, password: string) =>
    send<TokenReply>("POST", "/api/v1/broker/auth/login", { username, password }),
  refresh: (refresh_token: string) => send<TokenReply>("POST", "/api/v1/auth/refresh", { refresh_token }),
  logout: () => send<LogoutReply>("POST", "/api/v1/auth/logout"),
});
