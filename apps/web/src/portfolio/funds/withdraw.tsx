import { RequestRefused, type UnifiedAccount } from "@bourse/api/client";
import { type FormEvent, useState } from "react";
import { sayUnits } from "../../chain/tokens.ts";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { DecimalInput, Field, Select, TextInput } from "../../kit/field.tsx";
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (checked.kind === "good") setAsking(true);
  };
  return (
    <Panel title="Withdraw">
      <form onSubmit={submit} className="flex flex-col gap-3">
        {isPaused && (
          <Notice>Withdrawals are paused by the operators. Your balance is untouched; try again later.</Notice>
        )}
        <AddressChoice own={address} choice={choice} onChoice={setChoice} />
        {choice === ELSEWHERE && (
          <Field label="Address" error={checked.kind === "wrong" ? checked.to : undefined}>
            {(ids) => (
              <TextInput
                {...ids}
                value={other}
                onChange={(event) => setOther(event.target.value)}
                placeholder="0x…"
                spellCheck={false}
                autoComplete="off"
                className="font-mono"
              />
            )}
          </Field>
        )}
        <Field
          label="Withdrawal amount in USDT"
          error={checked.kind === "wrong" ? checked.amount : undefined}
          hint={
            <>
              Withdrawable: <Money value={withdrawable} />
            </>
          }
        >
          {(ids) => (
            <DecimalInput
              {...ids}
              value={amount}
              onChange={(event) => setAmount(event.target.value)}
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
          )}
        </Field>
        <Button look="primary" size="large" type="submit" disabled={checked.kind !== "good"}>
          {checked.kind === "good" ? `Withdraw ${sayUnits(checked.units)}` : "Withdraw"}
        </Button>
        {account.data !== undefined && <WhyWithdrawable account={account.data} />}
      </form>
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
          onOpenChange={setAsking}
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
  return (
    <Field label="Withdraw to">
      {(ids) => (
        <Select {...ids} value={choice} onChange={(event) => onChoice(event.target.value)}>
          <option value={own}>Your wallet, {shortHash(own)}</option>
          {addresses.data?.addresses.map(({ address, label }) => (
            <option key={address} value={address}>
              {label === null ? address : `${label}, ${shortHash(address)}`}
            </option>
          ))}
          <option value={ELSEWHERE}>Another address</option>
        </Select>
      )}
    </Field>
  );
}

/** What keeps the rest from leaving. */
function WhyWithdrawable({ account }: { readonly account: UnifiedAccount }) {
  return (
    <details className="text-sm">
      <summary className="text-xs text-accent">Why this much can be withdrawn</summary>
      <Facts className="mt-2 rounded-md bg-raised p-3">
        <Fact name="Principal, your own money">
          <Money value={account.principal} />
        </Fact>
        <Fact name="In margin for positions and orders">
          <Money value={account.initial_margin} />
        </Fact>
        <Fact name="Unrealised profit and loss">
          <Money value={account.unrealized_pnl} />
        </Fact>
        <Fact name="Bonus, never withdrawable">
          <Money value={account.bonus} />
        </Fact>
        <Fact name="Held for withdrawals under way">
          <Money value={account.in_flight} />
        </Fact>
        <Fact name="Can leave now">
          <strong className="font-semibold">
            <Money value={account.withdrawable} />
          </strong>
        </Fact>
      </Facts>
      <p className="mt-1 text-xs text-muted">
        Principal less what positions and orders need of it. Unrealised losses count, unrealised profits and bonus do
        not.
      </p>
    </details>
  );
}
