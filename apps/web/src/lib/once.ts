import { RequestRefused, ServerUnreachable } from "@bourse/api/client";

/** It is not known whether the request was carried out. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";

  constructor(cause: unknown) {
    super(
      "The exchange did not answer, so it is not known whether this was done. Press again: the same request is done at most once",
      { cause },
    );
  }
}

/** Ids of requests without a reply, by their content. They outlive the form that sent them. */
const unanswered = new Map<string, string>();

const NAME_BYTES = 16;
const SERVER_FAULT = 500;
const TOO_LATE = 408;
const TOO_MANY = 429;

/** Not `randomUUID`, which browsers withhold from pages without https. */
function newName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NAME_BYTES));
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** A refusal settles the request. No reply, a server fault and "try later" do not. */
function isSettledBy(error: unknown): boolean {
  if (!(error instanceof RequestRefused)) return false;
  return error.status < SERVER_FAULT && error.status !== TOO_LATE && error.status !== TOO_MANY;
}

/**
 * Sends a request that must take effect at most once. Until a reply comes, the same content is sent with the same
 * `request_id`, however often; after the reply, the same content is a new request.
 */
export async function once<Reply>(
  what: string,
  content: object,
  send: (request_id: string) => Promise<Reply>,
): Promise<Reply> {
  const key = `${what} ${JSON.stringify(content)}`;
  const request_id = unanswered.get(key) ?? newName();
  unanswered.set(key, request_id);
  try {
    const reply = await send(request_id);
    unanswered.delete(key);
    return reply;
  } catch (error) {
    if (isSettledBy(error)) unanswered.delete(key);
    throw error instanceof ServerUnreachable ? new OutcomeUnknown(error) : error;
  }
}

/** Adds that the reply is the one of an earlier request, where it is. */
export const sayReplayed = (isReplayed: boolean, words: string): string =>
  isReplayed ? `${words} An earlier request had done this already; nothing was done twice.` : words;
