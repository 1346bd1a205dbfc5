/** The control actions of admins and of the platform. */
export const CONTROL_ACTIONS = ["freeze", "unfreeze", "recall"] as const;
export type ControlAction = (typeof CONTROL_ACTIONS)[number];

const CONTROL_REF = /^bonus:(freeze|unfreeze|recall):(.+)$/s;
const GRANT_REF = /^bonus-grant:(\d+)$/;

/** The outbox reference of a request's command. */
export const controlRef = (action: ControlAction, request_id: string): string => `bonus:${action}:${request_id}`;

const RECONCILE = "bonus-reconcile:";

/** Of a freeze that the reconciliation orders: the bonus, named by account and expiry, and the difference that it found. */
export const reconcileRef = (account: number, expires_ms: number, difference_micros: bigint | number): string =>
  `${RECONCILE}${account}:${expires_ms}:${difference_micros}`;

export const isReconcileRef = (ref: string): boolean => ref.startsWith(RECONCILE);

/** The request of a message; undefined if no request waits for its answer. */
export function parseControlRef(ref: string): { endpoint: string; request_id: string } | undefined {
  const [, endpoint, request_id] = CONTROL_REF.exec(ref) ?? [];
  return endpoint === undefined || request_id === undefined ? undefined : { endpoint, request_id };
}

/** The id of the bonus that a grant message is for. */
export function parseGrantRef(ref: string): bigint | undefined {
  const id = GRANT_REF.exec(ref)?.[1];
  return id === undefined ? undefined : BigInt(id);
}
