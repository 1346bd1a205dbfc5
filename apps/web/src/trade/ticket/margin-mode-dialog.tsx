import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Segmented } from "../../kit/field.tsx";
import { Notice } from "../../kit/panel.tsx";
import { RefusalLine, useTask } from "../../kit/task.tsx";
import { toast } from "../../kit/toast.tsx";
import { api, useSession } from "../../session/session.ts";
import { accountKeys } from "../account/queries.ts";

export type MarginMode = "cross" | "isolated";

interface MarginModeDialogProps {
  readonly symbol: string;
  readonly mode: MarginMode;
  readonly hasPosition: boolean;
  readonly hasOpenOrders: boolean;
  readonly hasBonus: boolean;
  readonly onClose: () => void;
}

const OPTIONS = [
  { value: "cross", label: "Cross" },
  { value: "isolated", label: "Isolated" },
] as const;

const MEANING: Record<MarginMode, string> = {
  cross: "Positions share the whole balance. A loss can use all of it, and a gain elsewhere protects.",
  isolated:
    "A position has only the margin that was moved into it. It can lose no more than that, and gains elsewhere do not protect it.",
};

/** Section 7 of docs/rules/engine.md: what the exchange would refuse is said before it is asked. */
function obstacle({ hasPosition, hasOpenOrders, hasBonus, symbol }: MarginModeDialogProps, next: MarginMode) {
  if (hasPosition) return `Close the position in ${symbol} first: the mode of a position cannot change.`;
  if (hasOpenOrders) return `Cancel the open and conditional orders in ${symbol} first.`;
  if (next === "isolated" && hasBonus) return "Isolated margin is not available while there is a bonus.";
  return undefined;
}

export function MarginModeDialog(props: MarginModeDialogProps) {
  const { symbol, mode, onClose } = props;
  const queryClient = useQueryClient();
  const address = useSession("wallet")?.name;
  const [chosen, setChosen] = useState<MarginMode>();
  const task = useTask();
  const next = chosen ?? mode;
  const save = () =>
    task.run(async () => {
      await api.account.setMarginMode(symbol, next);
      await queryClient.invalidateQueries({ queryKey: accountKeys.settings(address) });
      toast("accent", `${symbol} is on ${next} margin now`);
      onClose();
    });
  const reason = next === mode ? undefined : obstacle(props, next);
  return (
    <Dialog title={`Margin of ${symbol}`} description="Which margin backs a position in this market." onClose={onClose}>
      <Segmented label="Margin mode" options={OPTIONS} value={next} onChange={setChosen} className="w-full" />
      <p className="text-sm text-muted">{MEANING[next]}</p>
      {reason !== undefined && <Notice>{reason}</Notice>}
      <RefusalLine error={task.refusal} />
      <Button
        look="primary"
        isBusy={task.isBusy}
        disabled={next === mode || reason !== undefined}
        onClick={() => void save()}
      >
        {next === mode ? `${symbol} is on ${mode} margin` : `Switch ${symbol} to ${next} margin`}
      </Button>
    </Dialog>
  );
}
