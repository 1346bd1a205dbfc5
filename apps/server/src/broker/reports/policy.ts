import type { Access } from "../../kernel/http/access.ts";

export const reportsPolicy: Readonly<Record<string, Access>> = {};
