import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Panel } from "../../kit/panel.tsx";
import { useTask } from "../../kit/task.tsx";
import { toast } from "../../kit/toast.tsx";
import { formatMoney } from "../../lib/format.ts";
import { api } from "../../session/session.ts";
import { refreshPortfolio } from "../queries.ts";

/** Turns a code into a bonus. */
export function Redeem() {
  const [code, setCode] = useState("");
  const { isBusy, words, run, forget } = useTask();
  const redeem = async () => {
    await run(async () => {
      const { amount } = await api.bonus.redeem(code.trim());
      setCode("");
      toast("accent", `${formatMoney(amount)} USDT of bonus are in your account`);
    });
    await refreshPortfolio();
  };
  return (
    <Panel title="Redeem a code">
      <Form onSubmit={redeem}>
        <TextField
          label="Bonus code"
          hint="16 letters and digits; case, spaces and dashes do not matter."
          error={words}
          kind="code"
          inputClass="uppercase"
          value={code}
          maxLength={40}
          placeholder="XXXX-XXXX-XXXX-XXXX"
          onChange={(text) => {
            setCode(text);
            forget();
          }}
        />
        <Button look="primary" size="large" type="submit" isBusy={isBusy} disabled={code.trim() === ""}>
          Redeem the code
        </Button>
      </Form>
    </Panel>
  );
}
