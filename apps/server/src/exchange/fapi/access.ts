import type { Access } from "../../kernel/http/access.ts";
import { isReducing, isReducingBatch } from "./reducing.ts";

export const anyone = (weight: number): Access => ({ area: "fapi", allow: "anyone", weight });
export const reading = (weight: number): Access => ({ area: "fapi", allow: ["wallet"], apiKey: "READ", weight });
export const trading = (weight: number): Access => ({ area: "fapi", allow: ["wallet"], apiKey: "TRADE", weight });
/** SEC-10: cancels, and orders that reduce a position, may use the reserved part of the budget. */
export const cancelling = (weight: number): Access => ({ ...trading(weight), reserve: "all" });
export const placing = (weight: number): Access => ({ ...trading(weight), reserve: isReducing });
export const placingBatch = (weight: number): Access => ({ ...trading(weight), reserve: isReducingBatch });
/** The API key without a signature. */
export const keyOnly = (weight: number): Access => ({ area: "fapi", allow: ["wallet"], apiKey: "KEY_ONLY", weight });
