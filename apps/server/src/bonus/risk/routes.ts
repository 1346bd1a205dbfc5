import { LinkedFreezeReply, LinkedFreezeRequest, RiskQuery, RiskReport } from "@bourse/api";
import { bonusAdmin } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { actorOf, schemaRefusal } from "../callers.ts";
import type { Assessments } from "./assessments.ts";
import type { LinkedFreezes } from "./linked-freezes.ts";
import { LISTED_score } from "./rules.ts";
import { reportView } from "./views.ts";

const tags = ["Bonus: linked wallets"];
const ADMIN_PATH = "/api/v1/bonus/admin";
/** The list is made anew when it is older. */
const LIST_AGE_ms = 60_000;
const USUAL_pairs = 100;
const MAX_pairs = 500;

export interface RiskRoutesOptions {
  readonly assessments: Pick<Assessments, "latest">;
  readonly freezes: Pick<LinkedFreezes, "freeze">;
}

/** BON-12. */
export function registerRiskRoutes(app: App, { assessments, freezes }: RiskRoutesOptions): void {
  app.get(
    `${ADMIN_PATH}/risk`,
    {
      config: { access: bonusAdmin, client: "bonusAdmin.risk" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Pairs of linked bonus wallets",
        description:
          "Every pair in which one side has or had a bonus. Same funding source on chain 40, money given to the other side against " +
          "the mark 40, mirrored or copied orders or positions, or opposite positions for half of the time 30, most of the volume " +
          "with the other 20, symmetric PnL 20, same IP 10; 100 at most. Pairs are listed from 50 on: withdrawals of what either has gained " +
          "wait for review. They are proposed for freezing from 80 on. The list is at most 60 seconds old.",
        querystring: RiskQuery,
        response: { 200: RiskReport },
      },
    },
    async ({ query }) => {
      const { min_score = LISTED_score, limit = USUAL_pairs } = query;
      return reportView(await assessments.latest(LIST_AGE_ms), min_score, Math.min(limit, MAX_pairs));
    },
  );

  app.post(
    `${ADMIN_PATH}/freeze-linked`,
    {
      config: { access: bonusAdmin, client: "bonusAdmin.freezeLinked" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags,
        summary: "Freeze and recall the bonuses of a wallet and its linked wallets",
        description:
          "The wallets that hang together with the target by pairs of at least `min_score`; the target alone where there are " +
          "none. All are frozen, then each bonus of which nothing is in margin is recalled. A repeated request_id answers " +
          "what it did. 404 no_bonus; 503 not_ready while the outcome is not known.",
        body: LinkedFreezeRequest,
        response: { 200: LinkedFreezeReply },
      },
    },
    (request) => freezes.freeze(request.body, actorOf(request)),
  );
}
