import { RequestRefused, type UnifiedAccount } from "@bourse/api/client";
import { useState } from "react";
import { sayUnits } from "../../chain/tokens.ts";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Money } from "../../kit/number.tsx";
import { Fact, Facts, Notice, Panel } from "../../kit/panel.tsx";
import { toast } from "../../kit/toast.tsx";
import { Decimal } from "../../lib/decimal.ts";
import { shortHash } from "../../lib/format.ts";
import { once } from "../../lib/once.ts";
import { api } from "../../session/session.ts";
import { refreshPortfolio, useAccount, useWithdrawAddresses } from "../queries.ts";
import { checkWithdrawal } from "./withdraw-check.ts";

const ELSEWHERE = "elsewhere";

/** From the account to a wallet. */
export function Withdraw({ address }: { readonly address: string }) {
  const account = useAccount();
  const [amount, setAmount] = useState("");
  const [choice, setChoice] = useState(address);
  const [other, setOther] = useState("");
  const [isAsking, setAsking] = useState(false);
  const [isPaused, setPaused] = useState(false);
  const to = choice === ELSEWHERE ? other : choice;
  const withdrawable = account.data?.withdrawable;
  const checked = checkWithdrawal({ amount, to }, withdrawable);

  const confirm = async () => {
    if (checked.kind !== "good") return;
    const content = { amount: checked.tokens, to: checked.to };
    try {
      await once("withdraw", content, (request_id) => api.account.withdraw({ ...content, request_id }));
    } catch (error) {
      if (error instanceof RequestRefused) setPaused(error.code === "WITHDRAWALS_PAUSED");
      throw error;
    }
    setPaused(false);
    setAmount("");
    toast("accent", "Withdrawal requested", `${sayUnits(checked.units)} to ${shortHash(checked.to)}`);
    await refreshPortfolio();
  };
  return (
    <Panel title="Withdraw">
      <Form onSubmit={() => checked.kind === "good" && setAsking(true)}>
        {isPaused && <Notice>Withdrawals are paused. Your balance is unchanged; try again later.</Notice>}
        <AddressChoice own={address} choice={choice} onChoice={setChoice} />
        {choice === ELSEWHERE && (
          <TextField
            label="Address"
            error={checked.kind === "wrong" ? checked.to : undefined}
            kind="code"
            value={other}
            onChange={setOther}
            placeholder="0x…"
          />
        )}
        <TextField
          label="Withdrawal amount in USDT"
          error={checked.kind === "wrong" ? checked.amount : undefined}
          hint={
            <>
              Withdrawable: <Money value={withdrawable} />
            </>
          }
          kind="decimal"
          value={amount}
          onChange={setAmount}
          placeholder="0.00"
          end={
            <Button
              size="small"
              look="quiet"
              disabled={withdrawable === undefined}
              onClick={() => setAmount(Decimal.parse(withdrawable ?? "0").toString())}
            >
              Max
            </Button>
          }
        />
        <Button look="primary" size="large" type="submit" disabled={checked.kind !== "good"}>
          {checked.kind === "good" ? `Withdraw ${sayUnits(checked.units)}` : "Withdraw"}
        </Button>
        {account.data !== undefined && <WhyWithdrawable account={account.data} />}
      </Form>
      {checked.kind === "good" && (
        <ConfirmAction
          title="Withdraw to the chain"
          changes={[
            { what: "Leaves your account", after: sayUnits(checked.units) },
            {
              what: "Goes to",
              after: <code className="font-mono text-xs break-all whitespace-normal">{checked.to}</code>,
            },
            { what: "Fee of the exchange", after: "none" },
          ]}
          warning={
            checked.to.toLowerCase() === address.toLowerCase()
              ? undefined
              : "This is not the wallet that you are signed in with. What is paid to a wrong address cannot be brought back."
          }
          actionLabel={`Withdraw ${sayUnits(checked.units)} to ${shortHash(checked.to)}`}
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          onConfirm={confirm}
        />
      )}
    </Panel>
  );
}

interface AddressChoiceProps {
  readonly own: string;
  readonly choice: string;
  readonly onChoice: (choice: string) => void;
}

function AddressChoice({ own, choice, onChoice }: AddressChoiceProps) {
  const addresses = useWithdrawAddresses();
  const listed = addresses.data?.items.map(({ address, label }) => ({
    value: address,
    label: label === null ? address : `${label}, ${shortHash(address)}`,
  }));
  const options = [
    { value: own, label: `Your wallet, ${shortHash(own)}` },
    ...(listed ?? []),
    { value: ELSEWHERE, label: "Another address" },
  ];
  return <SelectField label="Withdraw to" options={options} value={choice} onChange={onChoice} />;
}

/** Why no more can be withdrawn. */
function WhyWithdrawable({ account }: { readonly account: UnifiedAccount }) {
  return (
    <details className="text-sm">
      <summary className="text-xs text-accent">Why this much can be withdrawn</summary>
      <Facts className="mt-2 rounded-md bg-raised p-3">
        <Fact name="Principal, your own money" value={<Money value={account.principal} />} />
        <Fact name="In margin for positions and orders" value={<Money value={account.initial_margin} />} />
        <Fact name="Unrealised profit and loss" value={<Money value={account.unrealized_pnl} />} />
        <Fact name="Bonus, never withdrawable" value={<Money value={account.bonus} />} />
        <Fact name="Gains from bonus accounts, held for 72 hours" value={<Money value={account.held_gains} />} />
        <Fact name="Owed to the bonus pool" value={<Money value={account.bonus_owed} />} />
        <Fact name="Held for withdrawals under way" value={<Money value={account.in_flight} />} />
        <Fact
          name="Can leave now"
          value={
            <strong className="font-semibold">
              <Money value={account.withdrawable} />
            </strong>
          }
        />
      </Facts>
      <p className="mt-1 text-xs text-muted">
        Principal less what positions and orders need of it. Unrealised losses count, unrealised profits and bonus do
        not.
      </p>
    </details>
  );
}
