import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useIsDevelopment } from "../../app/config.ts";
import { Button } from "../../kit/button.tsx";
import { Money } from "../../kit/number.tsx";
import { useTask } from "../../kit/task.tsx";
import { toast, toastError } from "../../kit/toast.tsx";
import type { Decimal } from "../../lib/decimal.ts";
import { formatMoney } from "../../lib/format.ts";
import { api, useSession } from "../../session/session.ts";
import { accountKeys } from "../account/queries.ts";

interface FundingLineProps {
  readonly available: Decimal | undefined;
  /** Nothing was ever deposited. */
  readonly isEmpty: boolean;
}

/** What is available for trading. A trader without funds gets a way to deposit. */
export function FundingLine({ available, isEmpty }: FundingLineProps) {
  const isDevelopment = useIsDevelopment();
  const address = useSession("wallet")?.name;
  const queryClient = useQueryClient();
  const { isBusy, run } = useTask(toastError);
  const ask = (to: string) =>
    run(async () => {
      const { amount } = await api.dev.faucet({ address: to });
      await queryClient.invalidateQueries({ queryKey: accountKeys.all(to) });
      toast("accent", `${formatMoney(amount)} test USDT from the faucet`);
    });
  return (
    <div className="flex min-h-6 items-center justify-between gap-2 text-xs">
      <span className="text-muted">Available</span>
      {address !== undefined && isEmpty ? (
        isDevelopment ? (
          <Button size="small" isBusy={isBusy} onClick={() => void ask(address)}>
            Get test USDT
          </Button>
        ) : (
          <Link to="/portfolio" className="text-accent underline">
            Deposit to trade
          </Link>
        )
      ) : (
        <Money value={available?.toString()} />
      )}
    </div>
  );
}
