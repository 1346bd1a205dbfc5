import type { Access } from "../../kernel/http/access.ts";

export const riskPolicy: Readonly<Record<string, Access>> = {};
