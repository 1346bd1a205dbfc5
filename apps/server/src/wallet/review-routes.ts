import { ReviewedWithdrawal, WithdrawalReviewList, WithdrawalReviewQuery, WithdrawalReviewRequest } from "@bourse/api";
import { Type } from "typebox";
import { badRequest } from "../kernel/errors.ts";
import { admin } from "../kernel/http/access.ts";
import type { App } from "../kernel/http/app.ts";
import { staffActor } from "../kernel/http/callers.ts";
import type { PageCursors } from "../kernel/page-cursor.ts";
import { pageReply } from "../kernel/pages.ts";
import { parseUuid } from "../kernel/uuid.ts";
import type { WithdrawalReviews } from "./reviews.ts";
import { withdrawalView } from "./withdrawals.ts";

const tags = ["Exchange administration"];
const PATH = "/api/v1/admin/withdrawals";
const params = Type.Object({ id: Type.String({ description: "The withdrawal's UUID" }) });

function readId(text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw badRequest("the id is no UUID", { rule: "id" });
  return id;
}

type Shown = Parameters<typeof withdrawalView>[0];
const reviewView = (row: Shown): ReviewedWithdrawal => ({ ...withdrawalView(row), address: row.address });

export interface ReviewRoutesOptions {
  readonly reviews: WithdrawalReviews;
  readonly cursors: PageCursors;
}

/** BON-12, VLT-4: withdrawals that touch a hold. */
export function registerReviewRoutes(app: App, { reviews, cursors }: ReviewRoutesOptions): void {
  app.get(
    `${PATH}/reviews`,
    {
      config: { access: admin, client: "exchangeAdmin.withdrawalReviews" },
      schema: {
        tags,
        summary: "Withdrawals that wait for review, the oldest first",
        querystring: WithdrawalReviewQuery,
        response: { 200: WithdrawalReviewList },
      },
    },
    async ({ query }) => pageReply(await reviews.page(cursors, query), reviewView),
  );

  app.post(
    `${PATH}/:id/release`,
    {
      config: { access: admin, client: "exchangeAdmin.releaseWithdrawal" },
      schema: {
        tags,
        summary: "Let a withdrawal go that waits for review",
        description: "It is sent like any other. 404 WITHDRAWAL_NOT_FOUND; 409 NOT_IN_REVIEW, also the second time.",
        params,
        body: WithdrawalReviewRequest,
        response: { 200: ReviewedWithdrawal },
      },
    },
    async (request) =>
      reviewView(await reviews.release(readId(request.params.id), staffActor(request), request.body.reason)),
  );

  app.post(
    `${PATH}/:id/refuse`,
    {
      config: { access: admin, client: "exchangeAdmin.refuseWithdrawal" },
      schema: {
        tags,
        summary: "Refuse a withdrawal that waits for review",
        description: "The amount goes back into the account. 404 WITHDRAWAL_NOT_FOUND; 409 NOT_IN_REVIEW.",
        params,
        body: WithdrawalReviewRequest,
        response: { 200: ReviewedWithdrawal },
      },
    },
    async (request) =>
      reviewView(await reviews.refuse(readId(request.params.id), staffActor(request), request.body.reason)),
  );
}
