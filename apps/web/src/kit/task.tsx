import { useState } from "react";
import { wordsOf } from "../lib/words.ts";

export interface Task {
  readonly isBusy: boolean;
  /** What it was refused for the last time; undefined where nothing went wrong. */
  readonly refusal: unknown;
  /** Does the work once; whatever it is refused for is kept to be shown. */
  readonly run: (work: () => Promise<void>) => Promise<void>;
  readonly forget: () => void;
}

/** Something that is asked of the exchange by a press, and may be refused. */
export function useTask(): Task {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>();
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setRefusal(undefined);
    try {
      await work();
    } catch (error) {
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, refusal, run, forget: () => setRefusal(undefined) };
}

/** A refusal where it happened: what, what to do, and the code small beside it. */
export function RefusalLine({ error }: { readonly error: unknown }) {
  if (error === undefined) return null;
  const { title, advice, code } = wordsOf(error);
  return (
    <p role="alert" className="text-sm text-bad">
      {title} {advice} {code !== undefined && <span className="font-mono text-xs text-faint">{code}</span>}
    </p>
  );
}
