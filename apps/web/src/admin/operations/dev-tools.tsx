import type { FaucetReply, Personas } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Money } from "../../kit/number.tsx";
import { Fact, Facts } from "../../kit/panel.tsx";
import { RefusalLine, useTask } from "../../kit/task.tsx";
import { formatMoney } from "../../lib/format.ts";
import { staffApi } from "../../session/session.ts";
import { ADDRESS_PROBLEM, isAddressShaped } from "../frame/typed.ts";
import { useWrite } from "../frame/write.ts";
import { isPositive, plain } from "./market-words.ts";
import { useMarkets } from "./queries.ts";

export function PriceTool() {
  const write = useWrite();
  const { data: markets = [] } = useMarkets();
  const { isBusy, refusal, run } = useTask();
  const [chosen, setChosen] = useState("");
  const [price, setPrice] = useState("");
  const symbol = chosen === "" ? (markets[0]?.symbol ?? "") : chosen;
  const pin = () =>
    write(
      () => staffApi.dev.pinPrice(symbol, plain(price)),
      (reply) => `${reply.symbol} is pinned at ${reply.index_price}.`,
    );
  return (
    <Form onSubmit={() => run(pin)}>
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label="Market"
          className="w-36"
          options={markets.map((market) => ({ value: market.symbol, label: market.symbol }))}
          value={symbol}
          onChange={setChosen}
        />
        <TextField label="Index price" className="w-40" kind="decimal" end="USDT" value={price} onChange={setPrice} />
        <Button look="primary" type="submit" isBusy={isBusy} disabled={!isPositive(price) || symbol === ""}>
          Pin {symbol}
        </Button>
      </div>
      <p className="text-sm text-muted">
        The reply comes after the engine has the price, and after everything that the price triggers or liquidates.
      </p>
      <RefusalLine error={refusal} />
    </Form>
  );
}

/** Lets the price follow its sources again. */
export function ReleasePrice({ symbol }: { readonly symbol: string }) {
  const write = useWrite();
  const { isBusy, refusal, run } = useTask();
  const release = () =>
    write(
      () => staffApi.dev.pinPrice(symbol, null),
      (reply) => `${reply.symbol} follows its sources again.`,
    );
  return (
    <>
      <Button size="small" isBusy={isBusy} onClick={() => void run(release)}>
        Release {symbol}
      </Button>
      <RefusalLine error={refusal} />
    </>
  );
}

const USUAL_AMOUNT = "10000";

export function FaucetTool({ wallets }: Pick<Personas, "wallets">) {
  const write = useWrite();
  const { isBusy, refusal, run } = useTask();
  const [address, setAddress] = useState("");
  const [amount, setAmount] = useState(USUAL_AMOUNT);
  const [reply, setReply] = useState<FaucetReply>();
  const give = async () =>
    setReply(
      await write(
        () => staffApi.dev.faucet({ address: address.trim(), amount: plain(amount) }),
        (paid) => `${formatMoney(paid.amount)} USDT each to the wallet and its account.`,
      ),
    );
  const isAddress = isAddressShaped(address);
  return (
    <Form onSubmit={() => run(give)}>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label="Wallet"
          className="w-full sm:w-auto sm:min-w-72 sm:flex-1"
          kind="code"
          list="demo-wallets"
          placeholder="0x…"
          error={address === "" || isAddress ? undefined : ADDRESS_PROBLEM}
          value={address}
          onChange={setAddress}
        />
        <datalist id="demo-wallets">
          {wallets.map((wallet) => (
            <option key={wallet.address} value={wallet.address}>
              {wallet.name}
            </option>
          ))}
        </datalist>
        <TextField label="Amount" className="w-36" kind="decimal" end="USDT" value={amount} onChange={setAmount} />
        <Button look="primary" type="submit" isBusy={isBusy} disabled={!isAddress || !isPositive(amount)}>
          Fund
        </Button>
      </div>
      <p className="text-sm text-muted">
        Sends this amount of test USDT and gas to the wallet on the embedded chain, and deposits the same amount into
        its account.
      </p>
      <RefusalLine error={refusal} />
      {reply !== undefined && (
        <Facts className="rounded-md bg-raised p-3">
          <Fact name="Principal in the account now" value={<Money value={reply.principal} />} />
          <Fact name="Deposit" value={<Hash value={reply.tx_hashes.deposit} of="transaction hash" />} />
        </Facts>
      )}
    </Form>
  );
}
