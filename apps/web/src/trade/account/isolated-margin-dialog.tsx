import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Segmented, TextField } from "../../kit/field.tsx";
import { Money, Num } from "../../kit/number.tsx";
import { Fact, Facts } from "../../kit/panel.tsx";
import { RefusalLine, useTask } from "../../kit/task.tsx";
import { toast } from "../../kit/toast.tsx";
import { Decimal, parseTyped } from "../../lib/decimal.ts";
import { formatMoney } from "../../lib/format.ts";
import { api, useSession } from "../../session/session.ts";
import type { Position } from "./margin.ts";
import { accountKeys, useUnifiedAccount } from "./queries.ts";

const WAYS = [
  { value: "in", label: "Add" },
  { value: "out", label: "Take out" },
] as const;
const ADD = 1;
const TAKE = 2;

interface IsolatedMarginDialogProps {
  readonly position: Position;
  readonly onClose: () => void;
}

/** Moves margin into or out of an isolated position. */
export function IsolatedMarginDialog({ position, onClose }: IsolatedMarginDialogProps) {
  const queryClient = useQueryClient();
  const address = useSession("wallet")?.name;
  const { data: account } = useUnifiedAccount();
  const [way, setWay] = useState<"in" | "out">("in");
  const [text, setText] = useState("");
  const task = useTask();
  const amount = parseTyped(text);
  const isGood = amount !== undefined && !amount.isZero();
  const now = Decimal.parse(position.isolated_margin);
  const after = !isGood ? now : way === "in" ? now.add(amount) : now.sub(amount);
  const most = Decimal.min(Decimal.parse(account?.principal ?? "0"), Decimal.parse(account?.available ?? "0"));
  const move = () =>
    task.run(async () => {
      if (!isGood) return;
      const type = way === "in" ? ADD : TAKE;
      await api.account.moveMargin({ symbol: position.symbol, amount: amount.toString(), type });
      await queryClient.invalidateQueries({ queryKey: accountKeys.unified(address) });
      toast("accent", `Margin of ${position.symbol} is ${formatMoney(after.toString())} USDT now`);
      onClose();
    });
  const action = way === "in" ? "Add" : "Take out";
  return (
    <Dialog
      title={`Margin of ${position.symbol}`}
      description="More margin moves the liquidation price away; it is all that this position can lose."
      onClose={onClose}
    >
      <Segmented label="Direction" options={WAYS} value={way} onChange={setWay} className="w-full" />
      <TextField
        label="Amount"
        hint={
          way === "in"
            ? `Up to ${formatMoney(Decimal.max(most, Decimal.ZERO).toString())} USDT`
            : "Initial margin must stay in"
        }
        error={text !== "" && !isGood ? "Enter a number above 0." : undefined}
        kind="decimal"
        value={text}
        onChange={setText}
        end="USDT"
      />
      <Facts className="rounded-md bg-raised p-3">
        <Fact
          name="Margin"
          value={
            <>
              {isGood && (
                <span className="text-faint line-through">
                  <Num value={position.isolated_margin} decimals={2} />
                </span>
              )}{" "}
              <Money value={after.toString()} />
            </>
          }
        />
      </Facts>
      <RefusalLine error={task.refusal} />
      <Button look="primary" isBusy={task.isBusy} disabled={!isGood} onClick={() => void move()}>
        {isGood ? `${action} ${formatMoney(amount.toString())} USDT` : action}
      </Button>
    </Dialog>
  );
}
