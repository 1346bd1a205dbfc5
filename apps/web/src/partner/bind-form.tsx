import { useState } from "react";
import { Button } from "../kit/button.tsx";
import { TextField } from "../kit/field.tsx";
import { Form } from "../kit/form.tsx";
import { Notice } from "../kit/panel.tsx";
import { useTask } from "../kit/task.tsx";
import { useStore } from "../lib/store.ts";
import { wordsOf } from "../lib/words.ts";
import { api } from "../session/session.ts";
import { type Answer, acceptInvitation, cleanCode, invitation } from "./invitation.ts";
import { usePartnerRenewal } from "./queries.ts";

/** Joins by a typed code, or by the code of a link that was followed earlier. */
export function BindForm({ address }: { readonly address: string }) {
  const kept = useStore(invitation);
  const [code, setCode] = useState(kept !== undefined && kept.answer === undefined ? kept.code : "");
  const [answer, setAnswer] = useState<Answer>();
  const { isBusy, refusal, run } = useTask();
  const renew = usePartnerRenewal();
  const join = async () => {
    const next = await acceptInvitation(address, cleanCode(code), api.broker.bind);
    setAnswer(next);
    if ("bound" in next) await renew();
  };
  if (answer !== undefined && "bound" in answer) {
    const { inviter_name } = answer.bound;
    return (
      <Notice tone="accent">
        You have joined{inviter_name === null ? "" : ` by ${inviter_name}'s code`}. It applies to every trade from now
        on.
      </Notice>
    );
  }
  const failure = refusal === undefined ? undefined : wordsOf(refusal).title;
  const error = answer === undefined ? failure : `${answer.refused.title} ${answer.refused.advice}`;
  return (
    <Form onSubmit={() => run(join)}>
      <TextField
        label="Invite code"
        hint="A wallet can join only once, for good."
        error={error}
        kind="code"
        inputClass="uppercase"
        value={code}
        maxLength={40}
        autoCapitalize="characters"
        onChange={setCode}
      />
      <Button look="primary" type="submit" isBusy={isBusy} disabled={cleanCode(code) === ""}>
        Join by this code
      </Button>
    </Form>
  );
}
