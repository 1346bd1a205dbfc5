export * from "./auth.ts";
export * from "./client.ts";
export * from "./fapi.ts";
export * from "./fapi-errors.ts";
export * from "./operations.ts";
export * from "./shapes.ts";
