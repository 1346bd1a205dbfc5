import { Check, X } from "lucide-react";
import { useEffect, useState } from "react";
import type { ProofCheck } from "../lib/merkle.ts";
import { wordsOf } from "../lib/words.ts";
import { Hash } from "./hash.tsx";
import { Notice } from "./panel.tsx";
import { Skeleton } from "./states.tsx";

/** Texts up to this length are shown as they are, hashes by their ends. */
const MAX_WHOLE = 40;

interface ProofViewProps {
  /** Checks the proof in this browser. Must be the same function until the proof changes. */
  readonly check: () => Promise<ProofCheck>;
  /** How to check it with other tools. */
  readonly elsewhere: string;
}

/** A Merkle proof checked in the browser: result, what was compared, the leaf and the path to the root. */
export function ProofView({ check, elsewhere }: ProofViewProps) {
  const [outcome, setOutcome] = useState<{ readonly done?: ProofCheck; readonly failure?: unknown }>({});
  useEffect(() => {
    let isCurrent = true;
    setOutcome({});
    check().then(
      (done) => isCurrent && setOutcome({ done }),
      (failure: unknown) => isCurrent && setOutcome({ failure }),
    );
    return () => {
      isCurrent = false;
    };
  }, [check]);
  if (outcome.failure !== undefined) return <Notice tone="bad">Not checked: {wordsOf(outcome.failure).title}</Notice>;
  if (outcome.done === undefined) return <Skeleton rows={8} />;
  return <CheckedProof proof={outcome.done} elsewhere={elsewhere} />;
}

function CheckedProof({ proof, elsewhere }: { readonly proof: ProofCheck; readonly elsewhere: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <p
        role="status"
        className={`flex items-center gap-2 rounded-md px-3 py-2 font-medium ${proof.isValid ? "bg-good-soft text-good" : "bg-bad-soft text-bad"}`}
      >
        {proof.isValid ? <Check size={16} aria-hidden="true" /> : <X size={16} aria-hidden="true" />}
        {proof.isValid
          ? "The proof is valid: these figures belong to the published root."
          : "The proof is invalid: these figures do not belong to the published root."}
      </p>
      <ul className="flex flex-col gap-1.5 text-sm">
        {proof.comparisons.map(({ what, found, claimed, isSame }) => (
          <li key={what} className="flex min-w-0 flex-wrap items-center justify-between gap-x-3">
            <span className="flex items-center gap-2">
              <span className={isSame ? "text-good" : "text-bad"}>
                {isSame ? <Check size={14} aria-label="same" /> : <X size={14} aria-label="different" />}
              </span>
              {what}
            </span>
            <span className="min-w-0 text-right">
              <Hash value={found} of={what.toLowerCase()} isWhole={found.length <= MAX_WHOLE} />
              {!isSame && (
                <span className="text-bad">
                  {" "}
                  not <Hash value={claimed} of={`claimed ${what.toLowerCase()}`} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <section className="flex min-w-0 flex-col gap-1">
        <h3 className="text-sm font-semibold">The leaf</h3>
        <p className="text-xs text-muted">SHA-256 of a zero byte and these lines:</p>
        <pre className="rounded-md bg-raised p-3 font-mono text-xs break-all whitespace-pre-wrap">{proof.leafText}</pre>
        <Hash value={proof.leaf} of="leaf" isWhole />
      </section>
      <section className="flex min-w-0 flex-col gap-1">
        <h3 className="text-sm font-semibold">The path to the root</h3>
        {proof.steps.length === 0 ? (
          <p className="text-sm text-muted">It is the only leaf, so it is the root itself.</p>
        ) : (
          <ol className="flex flex-col gap-1 text-sm">
            {proof.steps.map(({ position, hash, node }, step) => (
              <li key={node} className="flex min-w-0 flex-wrap items-center justify-between gap-x-3">
                <span className="text-muted">
                  {step + 1}. with the {position} neighbour <Hash value={hash} of={`neighbour ${step + 1}`} />
                </span>
                <span className="text-faint">
                  {step + 1 === proof.steps.length ? "root" : "node"} <Hash value={node} of={`node ${step + 1}`} />
                </span>
              </li>
            ))}
          </ol>
        )}
      </section>
      <p className="text-xs text-faint">{elsewhere}</p>
    </div>
  );
}
