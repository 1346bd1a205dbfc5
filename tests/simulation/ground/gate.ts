/**
 * The boundary between one incarnation of the platform and the world. Every effect passes through it. A crash shuts it:
 * open and later calls never resolve and have no effect, as if the process had been killed.
 */
export type Port = "database" | "commit" | "journal-write" | "journal-sync" | "chain";

/** The error of clients that were connected when the process died. */
export class Broken extends Error {
  constructor(what: string) {
    super(`the connection broke: ${what}`);
    this.name = "Broken";
  }
}

/** Thrown to stop code at once because the process is dead. Nothing outside sees it. */
export class Gone extends Error {
  constructor() {
    super("this process is gone");
    this.name = "Gone";
  }
}

/** When to crash: after a number of passes of these ports; each call passes before and after its effect. */
export interface CrashPlan {
  readonly ports: readonly Port[];
  passings: number;
}

/** A new promise for each waiter, because what waits for a shared promise stays in memory as long as the promise. */
const forever = () => new Promise<never>(() => {});

export class Gate {
  #isShut = false;
  readonly #death = Promise.withResolvers<never>();
  readonly #onCrash: (where: string) => void;
  plan: CrashPlan | undefined;

  constructor(onCrash: (where: string) => void) {
    this.#onCrash = onCrash;
    this.#death.promise.catch(() => undefined);
  }

  get isShut(): boolean {
    return this.#isShut;
  }

  /** Rejects with Gone at the crash. */
  get death(): Promise<never> {
    return this.#death.promise;
  }

  crash(where: string): void {
    if (this.#isShut) return;
    this.#isShut = true;
    this.#onCrash(where);
    this.#death.reject(new Gone());
  }

  /** Passes a point before or after an effect; false if the process is dead. */
  pass(port: Port, where: "before" | "after"): boolean {
    const { plan } = this;
    if (!this.#isShut && plan?.ports.includes(port) === true) {
      plan.passings -= 1;
      if (plan.passings <= 0) this.crash(`${where} ${port}`);
    }
    return !this.#isShut;
  }

  async around<T>(port: Port, effect: () => Promise<T>): Promise<T> {
    if (!this.pass(port, "before")) return await forever();
    let result: T;
    try {
      result = await effect();
    } catch (error) {
      if (this.#isShut) return await forever();
      throw error;
    }
    return this.pass(port, "after") ? result : await forever();
  }

  /** What a client sees: the answer, or a broken connection. */
  async request<T>(what: string, answer: Promise<T>): Promise<T> {
    try {
      return await Promise.race([answer, this.#death.promise]);
    } catch (error) {
      if (error instanceof Gone) throw new Broken(what);
      throw error;
    }
  }

  static forever(): Promise<never> {
    return forever();
  }
}
