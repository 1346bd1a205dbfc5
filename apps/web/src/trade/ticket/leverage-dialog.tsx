import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Slider, TextField } from "../../kit/field.tsx";
import { Money, Num } from "../../kit/number.tsx";
import { Fact, Facts, Notice } from "../../kit/panel.tsx";
import { RefusalLine, useTask } from "../../kit/task.tsx";
import { toast } from "../../kit/toast.tsx";
import { Decimal } from "../../lib/decimal.ts";
import { api, useSession } from "../../session/session.ts";
import type { Position } from "../account/margin.ts";
import { accountKeys } from "../account/queries.ts";
import type { MarketRules } from "./market-rules.ts";
import { notionalCapAt } from "./sizing.ts";

interface LeverageDialogProps {
  readonly market: MarketRules;
  readonly leverage: number;
  /** The market's, or what the bonus allows. */
  readonly maxLeverage: number;
  readonly position: Position | undefined;
  readonly onClose: () => void;
}

const MICRO_DIGITS = 6;
const marginAt = (notional: string, leverage: number) =>
  Decimal.parse(notional)
    .div(Decimal.parse(String(leverage)), MICRO_DIGITS, "ceil")
    .toString();

function Consequences({ market, leverage, next, position }: ConsequencesProps) {
  const cap = notionalCapAt(market.brackets, next);
  return (
    <Facts className="rounded-md bg-raised p-3">
      <Fact
        name="Leverage"
        value={
          <>
            {next !== leverage && <span className="text-faint line-through">{leverage}×</span>}{" "}
            <span className="font-medium">{next}×</span>
          </>
        }
      />
      <Fact name="Largest position" value={<Money value={cap.toString()} />} />
      {position !== undefined && (
        <Fact
          name="Margin of the position"
          value={
            <>
              {next !== leverage && (
                <span className="text-faint line-through">
                  <Num value={marginAt(position.notional, leverage)} decimals={2} rounding="ceil" />
                </span>
              )}{" "}
              <Num value={marginAt(position.notional, next)} decimals={2} rounding="ceil" unit="USDT" />
            </>
          }
        />
      )}
    </Facts>
  );
}
interface ConsequencesProps {
  readonly market: MarketRules;
  readonly leverage: number;
  readonly next: number;
  readonly position: Position | undefined;
}

/** Leverage of one market, with what it changes. */
export function LeverageDialog({ market, leverage, maxLeverage, position, onClose }: LeverageDialogProps) {
  const queryClient = useQueryClient();
  const address = useSession("wallet")?.name;
  const [chosen, setChosen] = useState<number>();
  const task = useTask();
  const next = Math.min(chosen ?? leverage, maxLeverage);
  const save = () =>
    task.run(async () => {
      await api.account.setLeverage(market.symbol, next);
      await queryClient.invalidateQueries({ queryKey: accountKeys.all(address) });
      toast("accent", `${market.symbol} is at ${next}× now`);
      onClose();
    });
  const typed = (text: string) => {
    const value = Number.parseInt(text, 10);
    if (Number.isInteger(value)) setChosen(Math.max(1, Math.min(maxLeverage, value)));
  };
  return (
    <Dialog
      title={`Leverage of ${market.symbol}`}
      description="Higher leverage needs less margin and is liquidated by smaller moves."
      onClose={onClose}
    >
      <TextField label={`From 1× to ${maxLeverage}×`} kind="whole" value={String(next)} onChange={typed} end="×" />
      <Slider
        label="Leverage"
        value={next}
        min={1}
        max={maxLeverage}
        onChange={setChosen}
        valueText={`${next} times`}
      />
      {maxLeverage < market.max_leverage && (
        <Notice tone="neutral">
          The market allows {market.max_leverage}×; while the bonus lasts {maxLeverage}× is the most.
        </Notice>
      )}
      <Consequences market={market} leverage={leverage} next={next} position={position} />
      <RefusalLine error={task.refusal} />
      <Button look="primary" isBusy={task.isBusy} disabled={next === leverage} onClick={() => void save()}>
        Set leverage to {next}×
      </Button>
    </Dialog>
  );
}
