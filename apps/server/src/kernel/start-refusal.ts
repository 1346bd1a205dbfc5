/** Why a process must not start, in a sentence that says what to do: whoever starts it is shown the message and no stack. */
export class StartRefusal extends Error {}
