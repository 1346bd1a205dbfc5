import type { Applied } from "../host/exchange.ts";
import { OrderDrafts } from "./order-drafts.ts";
import type { OrderRow } from "./tables.ts";

/** What is known of an order beyond the tables: all of it, or what has changed since. */
export interface PendingOrder {
  readonly opened: OrderRow | undefined;
  readonly changes: Partial<OrderRow> & Pick<OrderRow, "command_number">;
}

/** What these commands have done to an order; undefined for nothing. */
export function pendingOrderIn(pending: Iterable<Applied>, account: number, order: number): PendingOrder | undefined {
  const drafts = new OrderDrafts();
  for (const applied of pending) {
    for (const event of applied.events) {
      const isMeant =
        ("order" in event && event.order === order) || ("conditional" in event && event.conditional === order);
      if (isMeant && event.account === account) drafts.hear(event, applied);
    }
  }
  const opened = drafts.opened.get(order);
  const end = drafts.conditionalsEnded[0];
  const changes = drafts.changed.get(order) ?? end ?? opened;
  return changes === undefined ? undefined : { opened, changes };
}
