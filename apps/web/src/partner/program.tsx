import { BadgeCheck, Link2, Percent as PercentIcon } from "lucide-react";
import { Button } from "../kit/button.tsx";
import { Panel } from "../kit/panel.tsx";
import { openConnect } from "../session/connect.ts";
import { useSession } from "../session/session.ts";

const STEPS = [
  {
    icon: Link2,
    title: "Share a link",
    text: "Your codes bring traders to the exchange. Each code says what part of the fees goes back to those who use it.",
  },
  {
    icon: PercentIcon,
    title: "Get your part of every fee",
    text: "Your tier's rate of each fee is shared every day: the trader's part, your inviter's part, and yours.",
  },
  {
    icon: BadgeCheck,
    title: "Check each figure",
    text: "Every record shows its fills, rates and formula, and a proof that your browser checks against a published root.",
  },
] as const;

/** What the program is, for wallets that are not in it. */
export function Program() {
  const session = useSession("wallet");
  return (
    <Panel title="The partner program">
      <ol className="grid gap-4 md:grid-cols-3">
        {STEPS.map(({ icon: Icon, title, text }) => (
          <li key={title} className="flex flex-col gap-1.5">
            <Icon size={20} className="text-accent" aria-hidden="true" />
            <h3 className="font-medium">{title}</h3>
            <p className="text-sm text-muted">{text}</p>
          </li>
        ))}
      </ol>
      {session === undefined ? (
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Button look="primary" size="large" onClick={openConnect}>
            Sign in
          </Button>
          <span className="text-sm text-muted">Partners find their portal here, traders their rebates.</span>
        </div>
      ) : (
        <p className="mt-4 text-sm text-muted">
          Partners are taken in by a code of our business developers or of another partner. A partner who sees this page
          instead of the portal has been frozen; ask your BD.
        </p>
      )}
    </Panel>
  );
}
