import type { Access } from "../../kernel/http/access.ts";

export const boardsPolicy: Readonly<Record<string, Access>> = {};
