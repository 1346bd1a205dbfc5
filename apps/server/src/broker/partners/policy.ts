import type { Access } from "../../kernel/http/access.ts";

export const partnersPolicy: Readonly<Record<string, Access>> = {};
