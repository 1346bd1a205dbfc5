import { fapiRefusal } from "../../kernel/http/error-replies.ts";
import type { OrderName } from "./ports.ts";

const CLIENT_ID = /^[.A-Z:/a-z0-9_-]{1,36}$/;
const OWN_FORM = /^bourse-(\d{1,15})$/;

export const isClientId = (text: string): boolean => CLIENT_ID.test(text);

/** An order whose client gave it no id is known by one that follows from its number. */
export const clientIdOf = (id: number, clientId: string): string => (clientId === "" ? `bourse-${id}` : clientId);

/** The id a client gives to a new order; "" for none. Ids of our own form would be ambiguous. */
export function givenClientId(text: string | undefined): string {
  if (text === undefined) return "";
  if (!isClientId(text)) {
    throw fapiRefusal("CLIENT_ID", { details: { rule: "client_id", limit: "1 to 36 of [.A-Z:/a-z0-9_-]" } });
  }
  if (OWN_FORM.test(text)) {
    throw fapiRefusal("CLIENT_ID", {
      msg: "Client order id is not valid: ids of the form bourse-<number> are given by the exchange.",
      details: { rule: "client_id" },
    });
  }
  return text;
}

/** What a client means by an id: one of ours, or its own. */
export function nameOf(clientId: string): OrderName {
  const own = OWN_FORM.exec(clientId);
  return own === null ? { clientId } : { id: Number(own[1]) };
}
