import type { Access } from "../../kernel/http/access.ts";

export const accountsPolicy: Readonly<Record<string, Access>> = {};
