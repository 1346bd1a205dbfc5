import type { Access } from "../../kernel/http/access.ts";

export const settlementPolicy: Readonly<Record<string, Access>> = {};
