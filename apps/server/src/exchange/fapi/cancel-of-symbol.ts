import { FapiDone, orderParameters as parameters } from "@bourse/api";
import type { App } from "../../kernel/http/app.ts";
import { cancelling } from "./access.ts";
import { accountOf, addressOf, type FapiContext, signedRoute } from "./context.ts";

interface CancelOfSymbol {
  readonly path: string;
  readonly client: string;
  readonly summary: string;
  readonly cancel: (account: number, market: number) => Promise<unknown>;
}

/** A route that cancels all orders of one kind in a symbol. */
export function registerCancelOfSymbol(app: App, context: FapiContext, route: CancelOfSymbol): void {
  const { counts, markets } = context;
  const { path, client, summary, cancel } = route;
  app.delete(
    path,
    signedRoute({ access: cancelling(1), client, summary, parameters: parameters.ofSymbol, reply: FapiDone }),
    async (request, reply) => {
      await counts.show(reply, addressOf(request));
      const market = markets.required(request.fapi);
      const account = accountOf(context, request);
      if (account !== 0) await cancel(account, market.number);
      return { code: 200 as const, msg: "The operation of cancel all open order is done." };
    },
  );
}
