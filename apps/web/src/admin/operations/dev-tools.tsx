import type { FaucetReply, Personas } from "@bourse/api/client";
import { type FormEvent, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { DecimalInput, Field, Select, TextInput } from "../../kit/field.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Money } from "../../kit/number.tsx";
import { Fact, Facts } from "../../kit/panel.tsx";
import { RefusalLine, useTask } from "../../kit/task.tsx";
import { parseTyped } from "../../lib/decimal.ts";
import { formatMoney } from "../../lib/format.ts";
import { staffApi } from "../../session/session.ts";
import { useWrite } from "../frame/write.ts";
import { plain } from "./market-words.ts";
import { useMarkets } from "./queries.ts";

const isPositive = (text: string) => {
  const value = parseTyped(text);
  return value !== undefined && !value.isZero();
};

export function PriceTool() {
  const write = useWrite();
  const { data: markets = [] } = useMarkets();
  const { isBusy, refusal, run } = useTask();
  const [chosen, setChosen] = useState("");
  const [price, setPrice] = useState("");
  const symbol = chosen === "" ? (markets[0]?.symbol ?? "") : chosen;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await write(
        () => staffApi.dev.pinPrice(symbol, plain(price)),
        (reply) => `${reply.symbol} is pinned at ${reply.index_price}.`,
      );
    });
  };
  return (
    <form className="flex flex-col gap-3" onSubmit={submit}>
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Market" className="w-36">
          {(ids) => (
            <Select {...ids} value={symbol} onChange={(event) => setChosen(event.target.value)}>
              {markets.map((market) => (
                <option key={market.symbol}>{market.symbol}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Index price" className="w-40">
          {(ids) => (
            <DecimalInput {...ids} end="USDT" value={price} onChange={(event) => setPrice(event.target.value)} />
          )}
        </Field>
        <Button look="primary" type="submit" isBusy={isBusy} disabled={!isPositive(price) || symbol === ""}>
          Pin {symbol}
        </Button>
      </div>
      <p className="text-sm text-muted">
        The engine has the price before the answer: what it triggers or liquidates has happened then.
      </p>
      <RefusalLine error={refusal} />
    </form>
  );
}

/** Back to its sources. */
export function ReleasePrice({ symbol }: { readonly symbol: string }) {
  const write = useWrite();
  const { isBusy, refusal, run } = useTask();
  const release = () =>
    run(async () => {
      await write(
        () => staffApi.dev.pinPrice(symbol, null),
        (reply) => `${reply.symbol} follows its sources again.`,
      );
    });
  return (
    <>
      <Button size="small" isBusy={isBusy} onClick={() => void release()}>
        Let {symbol} go
      </Button>
      <RefusalLine error={refusal} />
    </>
  );
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const USUAL_AMOUNT = "10000";

export function FaucetTool({ wallets }: Pick<Personas, "wallets">) {
  const write = useWrite();
  const { isBusy, refusal, run } = useTask();
  const [address, setAddress] = useState("");
  const [amount, setAmount] = useState(USUAL_AMOUNT);
  const [reply, setReply] = useState<FaucetReply>();
  const isReady = ADDRESS.test(address.trim()) && isPositive(amount);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const given = await write(
        () => staffApi.dev.faucet({ address: address.trim(), amount: plain(amount) }),
        (paid) => `${formatMoney(paid.amount)} USDT each to the wallet and its account.`,
      );
      setReply(given);
    });
  };
  return (
    <form className="flex flex-col gap-3" onSubmit={submit}>
      <div className="flex flex-wrap items-end gap-3">
        <Field
          label="Wallet"
          className="w-full sm:w-auto sm:min-w-72 sm:flex-1"
          error={address === "" || ADDRESS.test(address.trim()) ? undefined : "An address is 0x and 40 hex digits."}
        >
          {(ids) => (
            <>
              <TextInput
                {...ids}
                className="font-mono"
                list="demo-wallets"
                spellCheck={false}
                placeholder="0x…"
                value={address}
                onChange={(event) => setAddress(event.target.value)}
              />
              <datalist id="demo-wallets">
                {wallets.map((wallet) => (
                  <option key={wallet.address} value={wallet.address}>
                    {wallet.name}
                  </option>
                ))}
              </datalist>
            </>
          )}
        </Field>
        <Field label="Amount" className="w-36">
          {(ids) => (
            <DecimalInput {...ids} end="USDT" value={amount} onChange={(event) => setAmount(event.target.value)} />
          )}
        </Field>
        <Button look="primary" type="submit" isBusy={isBusy} disabled={!isReady}>
          Fund
        </Button>
      </div>
      <p className="text-sm text-muted">
        So much test USDT and gas to the wallet on the embedded chain, and as much as a real deposit to its futures
        account.
      </p>
      <RefusalLine error={refusal} />
      {reply !== undefined && (
        <Facts className="rounded-md bg-raised p-3">
          <Fact name="Own money in the account now">
            <Money value={reply.principal} />
          </Fact>
          <Fact name="Deposit">
            <Hash value={reply.tx_hashes.deposit} of="transaction hash" />
          </Fact>
        </Facts>
      )}
    </form>
  );
}
