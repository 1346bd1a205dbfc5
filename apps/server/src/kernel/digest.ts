import { createHash } from "node:crypto";

/** The stored form of single-use and bearer values: they are random enough that a plain hash cannot be reversed (T7). */
export const sha256Hex = (text: string): string => createHash("sha256").update(text).digest("hex");
