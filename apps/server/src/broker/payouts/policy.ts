import type { Access } from "../../kernel/http/access.ts";

export const payoutsPolicy: Readonly<Record<string, Access>> = {};
