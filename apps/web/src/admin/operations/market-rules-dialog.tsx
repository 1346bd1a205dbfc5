import type { MarketRulesView } from "@bourse/api/client";
import { Dialog } from "../../kit/dialog.tsx";
import { hasProblems, useDraft } from "../../kit/draft.ts";
import { TextField } from "../../kit/field.tsx";
import { Async } from "../../kit/states.tsx";
import { staffApi } from "../../session/session.ts";
import { ReviewDialog } from "../frame/review-dialog.tsx";
import { useWrite } from "../frame/write.ts";
import {
  changedRules,
  changesOf,
  draftOf,
  FRACTION_NAMES,
  FRACTION_WORDS,
  problemsOfRules,
} from "./market-rules-words.ts";
import { useMarketRules } from "./queries.ts";

/** The form of a market's bounds, once they are known. */
export function RulesForm({ rules, onClose }: { readonly rules: MarketRulesView; readonly onClose: () => void }) {
  const write = useWrite();
  const { draft, problems, field } = useDraft(() => draftOf(rules), problemsOfRules);
  const { symbol } = rules;
  const changes = hasProblems(problems) ? [] : changesOf(draft, rules);
  const review = {
    changes,
    warning: "They hold from the next command on, for open orders and positions too.",
    actionLabel: `Change the rules of ${symbol}`,
  };
  return (
    <ReviewDialog
      title={`Rules of ${symbol}`}
      description="Bounds of prices, liquidations and the fund. The server checks how they fit together."
      isWide
      review={changes.length === 0 ? undefined : review}
      asksReason
      onConfirm={(reason) =>
        write(
          () => staffApi.exchangeAdmin.setMarketRules(symbol, { ...changedRules(draft, rules), ...reason }),
          () => `The rules of ${symbol} are changed.`,
        )
      }
      onClose={onClose}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        {FRACTION_NAMES.map((name) => (
          <TextField key={name} {...FRACTION_WORDS[name]} kind="decimal" end="%" {...field(name)} />
        ))}
        <TextField
          label="Impact notional"
          hint="Its average price is an impact price."
          kind="decimal"
          end="USDT"
          {...field("impact_notional")}
        />
        <TextField
          label="Open interest"
          hint="At most, as a multiple of the fund."
          kind="decimal"
          end="×"
          {...field("open_interest_factor")}
        />
      </div>
    </ReviewDialog>
  );
}

/** FUT-2: the bounds of a market. */
export function MarketRulesDialog({ symbol, onClose }: { readonly symbol: string; readonly onClose: () => void }) {
  const query = useMarketRules(symbol);
  if (query.data !== undefined) return <RulesForm rules={query.data} onClose={onClose} />;
  return (
    <Dialog title={`Rules of ${symbol}`} onClose={onClose}>
      <Async query={query} rows={6} rowHeight={40}>
        {() => null}
      </Async>
    </Dialog>
  );
}
