import type { Access } from "../../kernel/http/access.ts";

export const seasonsPolicy: Readonly<Record<string, Access>> = {};
