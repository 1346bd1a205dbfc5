import { useState } from "react";

/** What is wrong with a draft, by field. Empty: it can be sent. */
export type Problems<Draft> = { readonly [Field in keyof Draft]?: string };

/** Drops the fields of which nothing is wrong. */
export const problemsIn = <Draft>(found: { readonly [Field in keyof Draft]?: string | false | undefined }) =>
  Object.fromEntries(Object.entries(found).filter(([, problem]) => problem)) as Problems<Draft>;

export const hasProblems = (problems: object): boolean => Object.keys(problems).length > 0;

/** What a form holds as typed, and what is wrong with it. */
export interface DraftState<Draft> {
  readonly draft: Draft;
  readonly problems: Problems<Draft>;
  readonly change: (part: Partial<Draft>) => void;
  /** The value, error and change handler of a field. An empty field that began empty shows no error. */
  readonly field: <Name extends keyof Draft>(name: Name) => FieldState<Draft[Name]>;
}

export interface FieldState<Value> {
  readonly value: Value;
  readonly error: string | undefined;
  readonly onChange: (value: Value) => void;
}

export function draftState<Draft extends { readonly [Field in keyof Draft]: string }>(
  draft: Draft,
  initial: Draft,
  problems: Problems<Draft>,
  onChange: (draft: Draft) => void,
): DraftState<Draft> {
  const change = (part: Partial<Draft>) => onChange({ ...draft, ...part });
  return {
    draft,
    problems,
    change,
    field: (name) => ({
      value: draft[name],
      error: draft[name] === "" && initial[name] === "" ? undefined : problems[name],
      onChange: (value) => onChange({ ...draft, [name]: value }),
    }),
  };
}

export function useDraft<Draft extends { readonly [Field in keyof Draft]: string }>(
  initial: Draft | (() => Draft),
  check: (draft: Draft) => Problems<Draft>,
): DraftState<Draft> {
  const [first] = useState(initial);
  const [draft, setDraft] = useState(first);
  return draftState(draft, first, check(draft), setDraft);
}
