/** What a test process tells the test command. */
export type RunnerEvent = TestStarted | TestEnded | TestRunning | FileOutput | OnlyUsed | FileEnded;

/** Reported in the order of definition, a parent before its children. */
export interface TestStarted {
  readonly kind: "started";
  readonly nesting: number;
  readonly name: string;
}

/** Reported in the order of definition, a parent after its children. */
export interface TestEnded {
  readonly kind: "ended";
  readonly nesting: number;
  readonly name: string;
  readonly passed: boolean;
  readonly duration_ms: number;
  /** Set when this is not a test but a whole file: one that crashed, or that holds no test. */
  readonly file?: string;
  readonly isSuite: boolean;
  /** The reason, empty when none was given. */
  readonly skipped?: string;
  readonly isTodo: boolean;
  /** The parent of a failed test fails too, but says nothing of its own. */
  readonly onlyChildrenFailed: boolean;
  readonly error?: string;
}

/** Reported as it happens, to know what was under way when a suite runs out of time. */
export interface TestRunning {
  readonly kind: "running";
  readonly isRunning: boolean;
  readonly test: string;
}

export interface FileOutput {
  readonly kind: "output";
  readonly file: string;
  readonly text: string;
}

export interface OnlyUsed {
  readonly kind: "only";
  readonly place: string;
}

/** Every result of the file has been reported. */
export interface FileEnded {
  readonly kind: "fileEnded";
  readonly file: string;
  readonly duration_ms: number;
  /** What the process holds then, where it goes on with another file. */
  readonly memory_bytes?: number;
}
