import { createHash } from "node:crypto";

/** How single-use and bearer values are stored: they are random enough that a plain hash cannot be turned back (T7). */
export const sha256Hex = (text: string): string => createHash("sha256").update(text).digest("hex");
