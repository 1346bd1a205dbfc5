import { Button } from "../../kit/button.tsx";
import { toast } from "../../kit/toast.tsx";
import { formatDecimal } from "../../lib/format.ts";
import { modifyOrder, replaceTrigger } from "./actions.ts";
import { baseOf } from "./fills.ts";
import type { OpenOrder, WaitingOrder } from "./orders-model.ts";
import { asWritten, typeWords } from "./words.ts";

/** What was moved by hand can be moved back by a press. */
const sayMoved = (title: string, undo: () => void) =>
  toast(
    "accent",
    title,
    <Button size="small" onClick={undo}>
      Undo
    </Button>,
  );

const orderWords = (price: string, quantity: string, symbol: string) =>
  `${formatDecimal(quantity)} ${baseOf(symbol)} at ${asWritten(price)}`;

/** Changes an order in the book, and offers the way back. */
export async function moveOrder(order: OpenOrder, price: string, quantity: string): Promise<boolean> {
  const isDone = await modifyOrder(order, price, quantity);
  if (!isDone) return false;
  const undo = async () => {
    const isBack = await modifyOrder({ ...order, price, quantity }, order.price, order.quantity);
    if (isBack) toast("neutral", `Back to ${orderWords(order.price, order.quantity, order.symbol)}`);
  };
  sayMoved(`Order moved to ${orderWords(price, quantity, order.symbol)}`, () => void undo());
  return true;
}

/** Moves a trigger, and offers the way back. */
export async function moveTrigger(order: WaitingOrder, stop_price: string): Promise<boolean> {
  const moved = await replaceTrigger(order, stop_price);
  if (moved === undefined) return false;
  const from = order.stop_price;
  const undo = async () => {
    if (from === undefined) return;
    const back = await replaceTrigger(moved, from);
    if (back !== undefined) toast("neutral", `${typeWords(order.type)} is back at ${asWritten(from)}`);
  };
  sayMoved(`${typeWords(order.type)} moved to ${asWritten(stop_price)}`, () => void undo());
  return true;
}
