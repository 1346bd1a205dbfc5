import { type FormEvent, useState } from "react";
import { Button } from "../kit/button.tsx";
import { Field, TextInput } from "../kit/field.tsx";
import { Notice } from "../kit/panel.tsx";
import { useStore } from "../lib/store.ts";
import { wordsOf } from "../lib/words.ts";
import { api } from "../session/session.ts";
import { type Answer, acceptInvitation, cleanCode, invitation } from "./invitation.ts";
import { usePartnerRenewal } from "./queries.ts";

/** Joins by a code that is typed, or by the one of a link that was followed before. */
export function BindForm({ address }: { readonly address: string }) {
  const kept = useStore(invitation);
  const [code, setCode] = useState(kept !== undefined && kept.answer === undefined ? kept.code : "");
  const [isBusy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer>();
  const [failure, setFailure] = useState<string>();
  const renew = usePartnerRenewal();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      const next = await acceptInvitation(address, cleanCode(code), api.broker.bind);
      setAnswer(next);
      if ("bound" in next) await renew();
    } catch (error) {
      setFailure(wordsOf(error).title);
    } finally {
      setBusy(false);
    }
  };
  if (answer !== undefined && "bound" in answer) {
    const { inviter_name } = answer.bound;
    return (
      <Notice tone="accent">
        You have joined{inviter_name === null ? "" : ` by ${inviter_name}'s code`}. It holds for every trade from now
        on.
      </Notice>
    );
  }
  const refusal = answer === undefined ? failure : `${answer.refused.title} ${answer.refused.advice}`;
  return (
    <form className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
      <Field label="Invite code" hint="A wallet is bound once and for ever." error={refusal}>
        {(ids) => (
          <TextInput
            {...ids}
            value={code}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            className="font-mono uppercase"
            onChange={({ target }) => setCode(target.value)}
          />
        )}
      </Field>
      <Button look="primary" type="submit" isBusy={isBusy} disabled={cleanCode(code) === ""}>
        Join by this code
      </Button>
    </form>
  );
}
