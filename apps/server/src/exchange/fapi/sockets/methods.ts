import { balanceOperations } from "../account-routes.ts";
import { algoOperations } from "../algo-routes.ts";
import type { FapiContext, Operation } from "../context.ts";
import { bookOperation, depthOperation, priceOperation } from "../market-routes.ts";
import { pingOperation, timeOperation } from "../mode-routes.ts";
import { orderOperations } from "../order-operations.ts";
import { listenKeyOperations } from "../setting-routes.ts";

/** WSA-1: the operations that can be asked for over a socket, by the names of their methods. */
export function socketMethods(context: FapiContext): ReadonlyMap<string, Operation> {
  const order = orderOperations(context);
  const algo = algoOperations(context);
  const [first, second] = [balanceOperations(context, 2), balanceOperations(context, 3)];
  const listenKey = listenKeyOperations(context);
  const methods: Readonly<Record<string, Operation>> = {
    ping: pingOperation,
    time: timeOperation(context),
    depth: depthOperation(context),
    "ticker.price": priceOperation(context, "v2"),
    "ticker.book": bookOperation(context),
    "order.place": order.place,
    "order.modify": order.modify,
    "order.cancel": order.cancel,
    "order.status": order.find,
    "algoOrder.place": algo.place,
    "algoOrder.cancel": algo.cancel,
    "account.position": first.positionRisk,
    "v2/account.position": second.positionRisk,
    "account.balance": first.balance,
    "v2/account.balance": second.balance,
    "account.status": first.account,
    "v2/account.status": second.account,
    "userDataStream.start": listenKey.start,
    "userDataStream.ping": listenKey.extend,
    "userDataStream.stop": listenKey.stop,
  };
  return new Map(Object.entries(methods));
}
