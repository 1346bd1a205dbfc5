import type { OrderName } from "./order.ts";
import type { Refuse } from "./request-refusals.ts";

const CLIENT_ID = /^[.A-Z:/a-z0-9_-]{1,36}$/;
/** The form in which the exchange names orders itself. No id has more than 15 digits. */
const OWN_FORM = /^bourse-\d+$/;
const OWN_ID = /^bourse-(\d{1,15})$/;

export const isClientId = (text: string): boolean => CLIENT_ID.test(text);

/** An order whose client gave it no id is known by one that follows from its number. */
export const clientIdOf = (id: number, clientId: string): string => (clientId === "" ? `bourse-${id}` : clientId);

/** The id a client gives to a new order; "" for none. Ids of our own form would be ambiguous. */
export function givenClientId(text: string | undefined, refuse: Refuse): string {
  if (text === undefined) return "";
  if (!isClientId(text)) throw refuse("client_id", { rule: "client_id", limit: "1 to 36 of [.A-Z:/a-z0-9_-]" });
  if (OWN_FORM.test(text)) throw refuse("own_client_id", { rule: "client_id" });
  return text;
}

/** What a client means by an id: one of ours, or its own. */
export function nameOf(clientId: string): OrderName {
  const own = OWN_ID.exec(clientId);
  return own === null ? { clientId } : { id: Number(own[1]) };
}
