import type { Access } from "../../kernel/http/access.ts";

export const grantsPolicy: Readonly<Record<string, Access>> = {};
