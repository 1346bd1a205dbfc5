import { createStore, type Store } from "../lib/store.ts";

/** Steps that follow each other and stay visible. After a failure the flow continues where it stopped. */

export type Phase = "ready" | "running" | "failed" | "done";
export type FlowEvent =
  | { readonly kind: "started" }
  | { readonly kind: "sent"; readonly hash: string }
  | { readonly kind: "passed"; readonly note?: string; readonly isSkipped?: boolean }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "sent_back"; readonly to: number; readonly reason: string }
  | { readonly kind: "retried" }
  | { readonly kind: "cleared" };

/** What is known of one step. */
export interface StepMark {
  readonly hash?: string;
  readonly note?: string;
  readonly isSkipped?: boolean;
}

export interface FlowState {
  readonly phase: Phase;
  /** The step that is next, under way or has failed. */
  readonly at: number;
  readonly count: number;
  readonly marks: Readonly<Record<number, StepMark>>;
  readonly error?: unknown;
  /** Why an earlier step is done again. */
  readonly reason?: string;
}

type Answer = "begin" | "note" | "advance" | "stop" | "go_back" | "resume" | "clear" | "ignore";

/** Every phase answers every event. Events that come after the flow was cleared or is over change nothing. */
export const ANSWERS: Readonly<Record<Phase, Readonly<Record<FlowEvent["kind"], Answer>>>> = {
  ready: {
    started: "begin",
    sent: "ignore",
    passed: "ignore",
    failed: "ignore",
    sent_back: "ignore",
    retried: "ignore",
    cleared: "ignore",
  },
  running: {
    started: "ignore",
    sent: "note",
    passed: "advance",
    failed: "stop",
    sent_back: "go_back",
    retried: "ignore",
    cleared: "clear",
  },
  failed: {
    started: "ignore",
    sent: "ignore",
    passed: "ignore",
    failed: "ignore",
    sent_back: "ignore",
    retried: "resume",
    cleared: "clear",
  },
  done: {
    started: "ignore",
    sent: "ignore",
    passed: "ignore",
    failed: "ignore",
    sent_back: "ignore",
    retried: "ignore",
    cleared: "clear",
  },
};

export const beginning = (count: number): FlowState => ({ phase: "ready", at: 0, count, marks: {} });

function advance(state: FlowState, event: FlowEvent & { readonly kind: "passed" }): FlowState {
  const { at, count, marks, phase: _, ...rest } = state;
  const { kind: _kind, ...news } = event;
  const isLast = at + 1 === count;
  return {
    ...rest,
    count,
    phase: isLast ? "done" : "running",
    at: isLast ? at : at + 1,
    marks: { ...marks, [at]: { ...marks[at], ...news } },
  };
}

function goBack(state: FlowState, event: FlowEvent & { readonly kind: "sent_back" }): FlowState {
  const to = Math.min(event.to, state.at);
  const kept = Object.entries(state.marks).filter(([step]) => Number(step) < to);
  return { phase: "running", at: to, count: state.count, marks: Object.fromEntries(kept), reason: event.reason };
}

/** The next state. Pure, so that the whole table can be walked. */
export function flowAfter(state: FlowState, event: FlowEvent): FlowState {
  switch (ANSWERS[state.phase][event.kind]) {
    case "begin":
      return { ...state, phase: "running" };
    case "note":
      return event.kind === "sent"
        ? { ...state, marks: { ...state.marks, [state.at]: { ...state.marks[state.at], hash: event.hash } } }
        : state;
    case "advance":
      return event.kind === "passed" ? advance(state, event) : state;
    case "stop":
      return event.kind === "failed" ? { ...state, phase: "failed", error: event.error } : state;
    case "go_back":
      return event.kind === "sent_back" ? goBack(state, event) : state;
    case "resume": {
      const { error: _, ...rest } = state;
      return { ...rest, phase: "running" };
    }
    case "clear":
      return beginning(state.count);
    case "ignore":
      return state;
  }
}

export type StepLook = "waiting" | "running" | "failed" | "done" | "skipped";

export function lookOf({ phase, at, marks }: FlowState, step: number): StepLook {
  if (step < at || phase === "done") return marks[step]?.isSkipped ? "skipped" : "done";
  if (step > at || phase === "ready") return "waiting";
  return phase === "failed" ? "failed" : "running";
}

/** Thrown by a step that cannot continue because the result of an earlier step is no longer valid. */
export class SentBack extends Error {
  readonly to: string;

  constructor(to: string, reason: string) {
    super(reason);
    this.name = "SentBack";
    this.to = to;
  }
}

export interface StepTools {
  /** Of the transaction that this step sent in an earlier attempt. */
  readonly hash: string | undefined;
  /** Tells of a transaction as soon as it has left. */
  sent(hash: string): void;
  /** Aborted when the flow is cleared. */
  readonly signal: AbortSignal;
}

export interface Step {
  readonly id: string;
  readonly label: string;
  run(tools: StepTools): Promise<{ readonly note?: string; readonly isSkipped?: boolean } | undefined>;
}

export interface Flow {
  readonly steps: readonly Step[];
  readonly state: Store<FlowState>;
  start(): void;
  /** Continues with the step that failed. */
  retry(): void;
  /** Forgets everything. What was sent to the chain stays sent. */
  clear(): void;
}

export function createFlow(steps: readonly Step[]): Flow {
  const state = createStore(beginning(steps.length));
  let control = new AbortController();
  const tell = (event: FlowEvent) => state.update((now) => flowAfter(now, event));

  async function runStep(step: Step, { signal }: AbortController): Promise<FlowEvent> {
    const { at, marks } = state.get();
    const sent = (hash: string) => !signal.aborted && tell({ kind: "sent", hash });
    try {
      const report = await step.run({ hash: marks[at]?.hash, sent, signal });
      return { kind: "passed", ...report };
    } catch (error) {
      if (!(error instanceof SentBack)) return { kind: "failed", error };
      const to = steps.findIndex(({ id }) => id === error.to);
      return { kind: "sent_back", to, reason: error.message };
    }
  }

  async function run(): Promise<void> {
    const mine = control;
    while (!mine.signal.aborted && state.get().phase === "running") {
      const step = steps[state.get().at];
      if (step === undefined) return;
      const event = await runStep(step, mine);
      if (!mine.signal.aborted) tell(event);
    }
  }

  const enter = (kind: "started" | "retried") => {
    const before = state.get().phase;
    tell({ kind });
    if (before !== "running" && state.get().phase === "running") void run();
  };
  return {
    steps,
    state,
    start: () => enter("started"),
    retry: () => enter("retried"),
    clear() {
      control.abort();
      control = new AbortController();
      tell({ kind: "cleared" });
    },
  };
}
