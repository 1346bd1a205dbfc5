export * from "./book/index.ts";
export * from "./contract/codes.ts";
export type * from "./contract/commands.ts";
export * from "./contract/events.ts";
export * from "./contract/reasons.ts";
export { Engine, ENGINE_VERSION } from "./engine.ts";
export { decodeEvents, EVENT_KINDS, EventBuffer } from "./events/event-buffer.ts";
export * from "./integers.ts";
export * from "./rules/index.ts";
