/** Messages of a test process to the test command. */
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
  /** Set if this is not a test but a whole file: one that crashed, or that has no tests. */
  readonly file?: string;
  readonly isSuite: boolean;
  /** The reason, empty if none was given. */
  readonly skipped?: string;
  readonly isTodo: boolean;
  /** The parent of a failed test fails too, without an error of its own. */
  readonly onlyChildrenFailed: boolean;
  readonly error?: string;
}

/** Reported at once, to know what was running when a suite times out. */
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
  /** Time of a core that the file's process and the processes it has waited for used. */
  readonly cpu_ms?: number;
  /** The memory of the process, if it continues with another file. */
  readonly memory_bytes?: number;
}
