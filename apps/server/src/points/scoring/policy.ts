import type { Access } from "../../kernel/http/access.ts";

export const scoringPolicy: Readonly<Record<string, Access>> = {};
