import { FapiBatchReply, type FapiOrder, orderParameters as parameters } from "@bourse/api";
import { FapiError } from "../../kernel/errors.ts";
import type { App } from "../../kernel/http/app.ts";
import { fapiErrorReply, mandatoryParameter } from "../../kernel/http/error-replies.ts";
import { cancelling, placingBatch, trading } from "./access.ts";
import { readBatch, readList } from "./batch.ts";
import { accountOf, addressOf, type CountedReply, type FapiCall, type FapiContext, signedRoute } from "./context.ts";
import { clientName, idName } from "./order-names.ts";
import { cancel, modify, place } from "./order-operations.ts";
import { isReducingBatch } from "./reducing.ts";
import { asFapiError } from "./refusals.ts";

type BatchReply = (FapiOrder | { code: number; msg: string })[];

/**
 * Processes all elements concurrently and answers in their order; a refusal takes the place of its element. If every
 * element is refused by overload, so is the request.
 */
async function each<Item>(items: readonly Item[], act: (item: Item) => Promise<FapiOrder>): Promise<BatchReply> {
  const errors: FapiError[] = [];
  const answer = async (item: Item) => {
    try {
      return await act(item);
    } catch (thrown) {
      const error = asFapiError(thrown);
      if (!(error instanceof FapiError)) throw error;
      errors.push(error);
      return fapiErrorReply(error).body as { code: number; msg: string };
    }
  };
  const answers = await Promise.all(items.map(answer));
  if (errors.length === items.length && errors.every(({ status }) => status === 503)) throw errors[0]!;
  return answers;
}

/** Returns the refusal instead of throwing it, so that the caller can throw it later. */
function unlessRefused<Result>(read: () => Result): Result | FapiError {
  try {
    return read();
  } catch (error) {
    if (error instanceof FapiError) return error;
    throw error;
  }
}

/** Several orders in one request. */
export function registerBatchRoutes(app: App, context: FapiContext): void {
  const { counts, markets } = context;

  /** FUT-16: the order limit is checked before the content; a batch that cannot be read counts as one order. */
  async function readCounted(request: FapiCall, reply: CountedReply, isNew: boolean) {
    const elements = unlessRefused(() => readBatch(request.fapi));
    const isReserved = isNew && unlessRefused(() => isReducingBatch(request.fapi)) === true;
    const orders = elements instanceof FapiError ? 1 : elements.length;
    await counts.take(request, reply, addressOf(request), orders, isReserved);
    if (elements instanceof FapiError) throw elements;
    return elements;
  }

  app.post(
    "/fapi/v1/batchOrders",
    signedRoute({
      access: placingBatch(5),
      client: "orders.placeBatch(batchOrders)",
      summary: "Up to five new orders",
      parameters: parameters.batch,
      reply: FapiBatchReply,
    }),
    async (request, reply) => {
      const elements = await readCounted(request, reply, true);
      return each(elements, async (element) => place(context, request, element()));
    },
  );

  app.put(
    "/fapi/v1/batchOrders",
    signedRoute({
      access: trading(5),
      client: "orders.modifyBatch(batchOrders)",
      summary: "Modify up to five orders",
      parameters: parameters.batch,
      reply: FapiBatchReply,
    }),
    async (request, reply) => {
      const elements = await readCounted(request, reply, false);
      return each(elements, async (element) => modify(context, request, element()));
    },
  );

  app.delete(
    "/fapi/v1/batchOrders",
    signedRoute({
      access: cancelling(1),
      client: "orders.cancelBatch",
      summary: "Cancel up to ten orders",
      parameters: parameters.cancelBatch,
      reply: FapiBatchReply,
    }),
    async (request, reply) => {
      await counts.show(reply, addressOf(request));
      const { fapi } = request;
      const symbol = fapi.requiredText("symbol");
      const ids = readList(fapi, "orderIdList")?.map((id) => idName(id, "orderIdList"));
      const clientIds = readList(fapi, "origClientOrderIdList")?.map((id) => clientName(id, "origClientOrderIdList"));
      const names = ids ?? clientIds;
      if (names === undefined) throw mandatoryParameter("orderIdList");
      const market = markets.named(symbol);
      const account = accountOf(context, request);
      return each(names, (name) => cancel(context, account, market, name));
    },
  );
}
