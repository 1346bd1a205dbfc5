import type { Access } from "../../kernel/http/access.ts";

export const reconcilePolicy: Readonly<Record<string, Access>> = {};
