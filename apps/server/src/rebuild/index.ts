export { RebuildFault } from "./fault.ts";
export { type LogWalk, logOf, type RebuildLog, withWholeLog } from "./log.ts";
export type { AccountMove, LoggedRequest, LoggedRequests, RebuildPart } from "./part.ts";
export { isFitting, type RebuildOptions, rebuild } from "./rebuild.ts";
export { type Survey, survey } from "./survey.ts";
export { lostThings } from "./tables.ts";
