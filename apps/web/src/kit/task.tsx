import { useState } from "react";
import { wordsOf } from "../lib/words.ts";

export interface Task {
  readonly isBusy: boolean;
  /** Why the last run failed; undefined after success. */
  readonly refusal: unknown;
  /** `refusal` as a text: what happened and what to do. */
  readonly words: string | undefined;
  /** Does the work once. An error is kept as `refusal`, or given to `onError`. */
  readonly run: (work: () => unknown) => Promise<void>;
  readonly forget: () => void;
}

/** A request to the exchange that is sent by a press of a button and may be refused. */
export function useTask(onError?: (error: unknown) => void): Task {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>();
  const run = async (work: () => unknown) => {
    setBusy(true);
    setRefusal(undefined);
    try {
      await work();
    } catch (error) {
      (onError ?? setRefusal)(error);
    } finally {
      setBusy(false);
    }
  };
  const { title, advice } = refusal === undefined ? {} : wordsOf(refusal);
  const words = title === undefined ? undefined : [title, advice].filter(Boolean).join(" ");
  return { isBusy, refusal, words, run, forget: () => setRefusal(undefined) };
}

/** A refusal where it happened: what, what to do, and the code in small print. */
export function RefusalLine({ error }: { readonly error: unknown }) {
  if (error === undefined) return null;
  const { title, advice, code } = wordsOf(error);
  return (
    <p role="alert" className="text-sm text-bad">
      {title} {advice} {code !== undefined && <span className="font-mono text-xs text-faint">{code}</span>}
    </p>
  );
}
