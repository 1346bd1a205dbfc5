export * from "./book/index.ts";
export * from "./integers.ts";
export * from "./rules/index.ts";
