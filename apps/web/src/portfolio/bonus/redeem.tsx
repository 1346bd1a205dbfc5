import { type FormEvent, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Field, TextInput } from "../../kit/field.tsx";
import { Panel } from "../../kit/panel.tsx";
import { useTask } from "../../kit/task.tsx";
import { toast } from "../../kit/toast.tsx";
import { formatMoney } from "../../lib/format.ts";
import { wordsOf } from "../../lib/words.ts";
import { api } from "../../session/session.ts";
import { refreshPortfolio } from "../queries.ts";

/** Turns a code into a bonus. */
export function Redeem() {
  const [code, setCode] = useState("");
  const { isBusy, refusal, run, forget } = useTask();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await run(async () => {
      const { amount } = await api.bonus.redeem(code.trim());
      setCode("");
      toast("accent", `${formatMoney(amount)} USDT of bonus are in your account`);
    });
    await refreshPortfolio();
  };
  const words = refusal === undefined ? undefined : wordsOf(refusal);
  return (
    <Panel title="Redeem a code">
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        <Field
          label="Bonus code"
          hint="16 letters and digits; case, spaces and dashes do not matter."
          error={words === undefined ? undefined : [words.title, words.advice].filter(Boolean).join(" ")}
        >
          {(ids) => (
            <TextInput
              {...ids}
              value={code}
              maxLength={40}
              placeholder="XXXX-XXXX-XXXX-XXXX"
              autoComplete="off"
              spellCheck={false}
              className="font-mono uppercase"
              onChange={(event) => {
                setCode(event.target.value);
                forget();
              }}
            />
          )}
        </Field>
        <Button look="primary" size="large" type="submit" isBusy={isBusy} disabled={code.trim() === ""}>
          Redeem the code
        </Button>
      </form>
    </Panel>
  );
}
