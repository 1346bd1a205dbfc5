import { Pencil, X } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { SelectField, type SelectOption, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Num } from "../../kit/number.tsx";
import { Fact, Facts } from "../../kit/panel.tsx";
import { RefusalLine, useTask } from "../../kit/task.tsx";
import { Decimal, parseTyped } from "../../lib/decimal.ts";
import { formatDecimal, formatMoney } from "../../lib/format.ts";
import { type Market, useMarket, useMarkPrice, useTicker } from "../market/market-data.ts";
import { isOnStep } from "../ticket/steps.ts";
import { cancelOrder, placeFromPanel } from "./actions.ts";
import { type Position, pnlAt } from "./margin.ts";
import { moveTrigger } from "./moves.tsx";
import { NO_ORDERS, type OpenOrder, type WaitingOrder } from "./orders-model.ts";
import { useOwnOrders } from "./queries.ts";
import { closingTrigger, isMovable, isReached, roleOf, triggersOf } from "./triggers.ts";
import { asWritten, typeWords, workingTypeWords } from "./words.ts";

type WorkingType = "MARK_PRICE" | "CONTRACT_PRICE";
const TRIGGER_PRICES: readonly SelectOption<WorkingType>[] = [
  { value: "MARK_PRICE", label: "Mark price" },
  { value: "CONTRACT_PRICE", label: "Last price" },
];
type Role = "take_profit" | "stop_loss";
const ROLES: readonly { readonly role: Role; readonly label: string }[] = [
  { role: "take_profit", label: "Take profit" },
  { role: "stop_loss", label: "Stop loss" },
];

/** What is wrong with a trigger of the position; undefined where nothing is. */
function triggerProblem(text: string, role: Role, position: Position, market: Market, price: string | undefined) {
  if (text.trim() === "") return undefined;
  const trigger = parseTyped(text);
  if (trigger === undefined || trigger.isZero() || !isOnStep(trigger, market.tick_size)) {
    return `Enter a price in steps of ${market.tick_size}.`;
  }
  if (price === undefined || !isReached(position, role, trigger, price)) return undefined;
  const firesAbove = (position.side === "LONG") === (role === "take_profit");
  return `Would trigger at once: ${firesAbove ? "raise it above" : "lower it below"} ${asWritten(price)}.`;
}

export function TriggersDialog({ position, onClose }: { readonly position: Position; readonly onClose: () => void }) {
  const market = useMarket(position.symbol);
  const { data: orders = NO_ORDERS } = useOwnOrders();
  const triggers = triggersOf(position, orders.waiting);
  return (
    <Dialog
      title={`Take profit and stop loss of ${position.symbol}`}
      description="Triggers close the whole position at market. They stay until they fire or are cancelled."
      onClose={onClose}
    >
      <PositionFacts position={position} />
      {triggers.length > 0 && (
        <ul aria-label="Triggers" className="flex flex-col gap-1">
          {triggers.map((order) => (
            <TriggerLine key={order.id} order={order} position={position} open={orders.open} market={market} />
          ))}
        </ul>
      )}
      {market !== undefined && <NewTriggers position={position} market={market} onDone={onClose} />}
    </Dialog>
  );
}

function PositionFacts({ position }: { readonly position: Position }) {
  const mark = useMarkPrice(position.symbol) ?? position.mark_price;
  const market = useMarket(position.symbol);
  const style = market === undefined ? {} : { decimals: market.price_decimals, rounding: "halfUp" as const };
  return (
    <Facts className="rounded-md bg-raised p-3">
      <Fact name="Position" value={<Num value={position.quantity} unit={market?.base_asset ?? ""} />} />
      <Fact name="Entry" value={<Num value={position.entry_price} {...style} />} />
      <Fact name="Mark" value={<Num value={mark} {...style} />} />
    </Facts>
  );
}

interface TriggerLineProps {
  readonly order: WaitingOrder;
  readonly position: Position;
  readonly open: readonly OpenOrder[];
  readonly market: Market | undefined;
}

function TriggerLine({ order, position, open, market }: TriggerLineProps) {
  const [edited, setEdited] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const mark = useMarkPrice(position.symbol);
  const last = useTicker(position.symbol)?.last_price;
  const name = typeWords(order.type);
  const at = order.stop_price === undefined ? `${order.callback_rate ?? ""} % behind` : asWritten(order.stop_price);
  const role = roleOf(order);
  const price = order.working_type === "MARK_PRICE" ? mark : (last ?? mark);
  const problem =
    edited === undefined || market === undefined || role === "trailing"
      ? undefined
      : triggerProblem(edited, role, position, market, price);
  const run = async (work: () => Promise<boolean>) => {
    setBusy(true);
    const isDone = await work();
    setBusy(false);
    if (isDone) setEdited(undefined);
  };
  if (edited !== undefined) {
    const isGood = problem === undefined && edited.trim() !== "";
    return (
      <li className="flex items-end gap-2 rounded-md bg-raised px-3 py-2">
        <TextField
          label={`${name}: new trigger`}
          error={problem}
          className="flex-1"
          kind="decimal"
          value={edited}
          onChange={setEdited}
        />
        <Button
          look="primary"
          isBusy={isBusy}
          disabled={!isGood}
          onClick={() => void run(() => moveTrigger(order, parseTyped(edited)?.toString() ?? ""))}
        >
          Move it
        </Button>
        <Button look="quiet" onClick={() => setEdited(undefined)}>
          Keep
        </Button>
      </li>
    );
  }
  return (
    <li className="flex items-center justify-between gap-2 rounded-md bg-raised px-3 py-1 text-sm">
      <span className="min-w-0">
        {name} <span className="num font-medium">{at}</span>{" "}
        <span className="text-xs text-faint">
          by {workingTypeWords(order.working_type).toLowerCase()}
          {order.quantity !== undefined && !order.close_position && ` · ${formatDecimal(order.quantity)}`}
        </span>
      </span>
      <span className="flex gap-1">
        {isMovable(order, open) && (
          <IconButton
            size="small"
            label={`Move ${name} ${at}`}
            icon={<Pencil size={13} />}
            onClick={() => setEdited(order.stop_price ?? "")}
          />
        )}
        <IconButton
          size="small"
          label={`Cancel ${name} ${at}`}
          icon={<X size={13} />}
          isBusy={isBusy}
          onClick={() => void run(() => cancelOrder(order))}
        />
      </span>
    </li>
  );
}

interface NewTriggersProps {
  readonly position: Position;
  readonly market: Market;
  readonly onDone: () => void;
}

function NewTriggers({ position, market, onDone }: NewTriggersProps) {
  const [texts, setTexts] = useState<Readonly<Record<Role, string>>>({ take_profit: "", stop_loss: "" });
  const [workingType, setWorkingType] = useState<WorkingType>("MARK_PRICE");
  const task = useTask();
  const mark = useMarkPrice(position.symbol);
  const last = useTicker(position.symbol)?.last_price;
  const price = workingType === "MARK_PRICE" ? mark : (last ?? mark);
  const given = ROLES.filter(({ role }) => texts[role].trim() !== "");
  const problems = Object.fromEntries(
    ROLES.map(({ role }) => [role, triggerProblem(texts[role], role, position, market, price)]),
  ) as Record<Role, string | undefined>;
  const isGood = given.length > 0 && given.every(({ role }) => problems[role] === undefined);

  const save = () =>
    task.run(async () => {
      for (const { role } of given) {
        const trigger = parseTyped(texts[role]) ?? Decimal.ZERO;
        await placeFromPanel(closingTrigger(position, role, trigger.toString(), workingType));
        // What is placed must not be placed again when the second one is refused.
        setTexts((now) => ({ ...now, [role]: "" }));
      }
      onDone();
    });
  const label = given.map(({ role, label: name }) => `${name.toLowerCase()} at ${texts[role].trim()}`).join(" and ");
  return (
    <Form className="flex flex-col gap-2" onSubmit={() => isGood && !task.isBusy && save()}>
      {ROLES.map(({ role, label: name }) => {
        const trigger = parseTyped(texts[role]);
        const pnl = trigger && formatMoney(pnlAt(position, trigger.toString()).toString(), { signed: true });
        return (
          <TextField
            key={role}
            label={`${name} at`}
            error={problems[role]}
            hint={pnl === undefined ? "\u00a0" : `${pnl} USDT before fees`}
            kind="decimal"
            value={texts[role]}
            placeholder="None"
            onChange={(text) => setTexts({ ...texts, [role]: text })}
            end="USDT"
          />
        );
      })}
      <SelectField label="Triggered by" options={TRIGGER_PRICES} value={workingType} onChange={setWorkingType} />
      <RefusalLine error={task.refusal} />
      <Button type="submit" look="primary" isBusy={task.isBusy} disabled={!isGood}>
        {given.length === 0 ? "Add a trigger" : `Set ${label}`}
      </Button>
    </Form>
  );
}
