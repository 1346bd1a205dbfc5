/** What a state answers to an event that it does not allow. */
export class Refused<Reason extends string> {
  readonly reason: Reason;

  constructor(reason: Reason) {
    this.reason = reason;
  }

  toString(): Reason {
    return this.reason;
  }
}

export const refuse = <Reason extends string>(reason: Reason): Refused<Reason> => new Refused(reason);

export type StateAnswer<State extends string, Reason extends string> = State | Refused<Reason>;

type Row<State extends string, Event extends string, Reason extends string> =
  | StateAnswer<State, Reason>
  | Readonly<Record<Event, StateAnswer<State, Reason>>>;

/**
 * The states of something and what becomes of it: a total table, in which every state answers every event with the next
 * state (which may be the same) or with a refusal. A row is one answer for each event, or a single answer to all of them.
 */
export class StateTable<State extends string, Event extends string, Reason extends string = never> {
  readonly states: readonly State[];
  readonly events: readonly Event[];
  readonly #rows: Readonly<Record<State, Row<State, Event, Reason>>>;

  /** Throws where the table is not total. */
  constructor(events: readonly Event[], rows: Readonly<Record<State, Row<State, Event, Reason>>>) {
    this.states = Object.keys(rows) as State[];
    this.events = events;
    this.#rows = rows;
    const states = new Set<unknown>(this.states);
    for (const state of this.states) {
      for (const event of events) {
        const answer = this.answer(state, event);
        if (!states.has(answer) && !(answer instanceof Refused)) {
          throw new RangeError(`${state} answers ${event} with ${answer}, which is no state`);
        }
      }
    }
  }

  answer(state: State, event: Event): StateAnswer<State, Reason> {
    const row: Row<State, Event, Reason> = this.#rows[state];
    return typeof row === "string" || row instanceof Refused ? row : row[event];
  }

  /** For events that cannot be refused: throws where the table does. */
  next(state: State, event: Event): State {
    const answer = this.answer(state, event);
    if (answer instanceof Refused) throw new Error(`${event} is refused in the state ${state}: ${answer.reason}`);
    return answer;
  }
}
