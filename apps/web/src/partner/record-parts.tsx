import { Link } from "@tanstack/react-router";
import { Badge } from "../kit/panel.tsx";

interface PaymentProps {
  readonly status: "pending" | "paid" | null;
  readonly provisional: boolean;
}

export function Payment({ status, provisional }: PaymentProps) {
  if (provisional) return <Badge>provisional</Badge>;
  if (status === null) return <span className="text-faint">–</span>;
  return status === "paid" ? <Badge tone="accent">paid</Badge> : <Badge>pending</Badge>;
}

/** Opens the explanation of an amount. `of` tells the links of a list apart for screen readers. */
// What only screen readers get is placed absolutely: without `relative` it would stick out of a list that scrolls.
export function ExplainLink({ id, of }: { readonly id: string; readonly of: string }) {
  return (
    <Link
      to="."
      search={{ record: id }}
      className="relative whitespace-nowrap text-accent underline-offset-2 hover:underline"
    >
      How<span className="max-md:sr-only"> it was calculated</span>
      <span className="sr-only">: {of}</span>
    </Link>
  );
}

/** An adjustment of a locked record holds differences, not sums. */
export const Revision = ({ revision }: { readonly revision: number }) =>
  revision === 0 ? null : <Badge>adjustment {revision}</Badge>;
