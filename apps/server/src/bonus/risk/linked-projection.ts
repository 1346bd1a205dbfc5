import type { ProjectedBatch } from "../../exchange/index.ts";
import type { Tx } from "../../kernel/database/database.ts";
import { type AnsweredMessage, answeredMessages } from "../../kernel/engine-requests/answers.ts";
import { answerRequest, findRequest } from "../requests.ts";
import { type BonusAccountStatus, type BonusTx, bonusTx } from "../tables.ts";
import { type LinkedPlan, outcomeOf, type PlannedWallet, parseRecallRef } from "./linked-plan.ts";
import { keepPlan, LINKED_ENDPOINT } from "./linked-store.ts";

const RECALLS: ReadonlySet<string> = new Set(["recall_bonus"]);

/** By bonus id. */
type Answers = Map<string, AnsweredMessage>;

/**
 * BON-12: a projection that stores the engine's answers to the recalls of linked wallets; it runs after `projectBonus`.
 * The last answer completes the request.
 */
export async function projectLinked(anyTx: Tx, { applied }: ProjectedBatch): Promise<void> {
  const byRequest = new Map<string, Answers>();
  for (const answer of await answeredMessages(anyTx, applied, RECALLS)) {
    const recall = parseRecallRef(answer.ref);
    if (recall === undefined) continue;
    const answers: Answers = byRequest.get(recall.request_id) ?? new Map();
    answers.set(recall.bonus_account_id, answer);
    byRequest.set(recall.request_id, answers);
  }
  for (const [request_id, answers] of byRequest) await keepAnswers(bonusTx(anyTx), request_id, answers);
}

async function keepAnswers(tx: BonusTx, request_id: string, answers: Answers): Promise<void> {
  const key = { endpoint: LINKED_ENDPOINT, request_id };
  const request = await findRequest(tx, key);
  if (request === undefined || request.status !== null) return;
  const plan = request.response as unknown as LinkedPlan;
  const statuses = await statusesOf(tx, [...answers.keys()]);
  const wallets = plan.wallets.map((wallet): PlannedWallet => {
    const answer = answers.get(wallet.bonus_account_id);
    const status = statuses.get(wallet.bonus_account_id);
    return answer === undefined || status === undefined ? wallet : { ...wallet, outcome: outcomeOf(answer, status) };
  });
  if (wallets.some(({ outcome }) => outcome === null)) return await keepPlan(tx, key, { ...plan, wallets });
  const response = {
    target_address: plan.target_address,
    wallets: wallets.map(({ address, outcome }) => ({ address, ...outcome })),
  };
  const at = [...answers.values()].at(-1)!.at;
  await answerRequest(tx, key, { status: 200, response }, at);
}

async function statusesOf(tx: BonusTx, ids: readonly string[]): Promise<Map<string, BonusAccountStatus>> {
  const rows = await tx
    .selectFrom("bonus_account")
    .select(["id", "status"])
    .where("id", "in", ids.map(BigInt))
    .execute();
  return new Map(rows.map(({ id, status }) => [String(id), status]));
}
