import { fapiRefusal, invalidParameter, mandatoryParameter } from "../../kernel/http/error-replies.ts";
import type { FapiParameters } from "../../kernel/http/parameters.ts";
import { isClientId, nameOf } from "../orders/client-ids.ts";
import type { OrderName } from "../orders/order.ts";

/** Refuses characters and lengths that no client id can have, without a search. */
export function clientName(text: string, parameter: string): OrderName {
  if (!isClientId(text)) {
    const msg = `Illegal characters found in parameter '${parameter}'.`;
    throw fapiRefusal("ILLEGAL_CHARACTERS", { msg, details: { rule: "client_id", parameter } });
  }
  return nameOf(text);
}

export function idName(text: string, parameter: string): OrderName {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (id === 0) throw invalidParameter(parameter);
  return { id };
}

/** The requested order, by its id (which takes precedence) or by its client id. */
export function orderName(parameters: FapiParameters): OrderName {
  const id = parameters.text("orderId");
  if (id !== undefined) return idName(id, "orderId");
  const clientId = parameters.text("origClientOrderId");
  if (clientId === undefined) throw mandatoryParameter("orderId");
  return clientName(clientId, "origClientOrderId");
}

export function algoName(parameters: FapiParameters): OrderName {
  const id = parameters.text("algoId") ?? parameters.text("algoid");
  if (id !== undefined) return idName(id, "algoId");
  const clientId = parameters.text("clientAlgoId");
  if (clientId === undefined) throw mandatoryParameter("algoId");
  return clientName(clientId, "clientAlgoId");
}
