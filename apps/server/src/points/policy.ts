import type { Access } from "../kernel/http/access.ts";
import { boardsPolicy } from "./boards/policy.ts";
import { scoringPolicy } from "./scoring/policy.ts";
import { seasonsPolicy } from "./seasons/policy.ts";

/** SEC-6: who may call what of the points program. */
export const pointsPolicy: Readonly<Record<string, Access>> = { ...scoringPolicy, ...seasonsPolicy, ...boardsPolicy };
