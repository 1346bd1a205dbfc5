export { type Client, type ClientOptions, createClient, RequestRefused, ServerUnreachable } from "./client.ts";
export * from "./schemas.ts";
