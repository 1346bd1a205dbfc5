/** What admins and the platform do to a running bonus. */
export const CONTROL_ACTIONS = ["freeze", "unfreeze", "recall"] as const;
export type ControlAction = (typeof CONTROL_ACTIONS)[number];

const CONTROL_REF = /^bonus:(freeze|unfreeze|recall):(.+)$/s;
const GRANT_REF = /^bonus-grant:(\d+)$/;

/** Under which name the engine is told of a request. */
export const controlRef = (action: ControlAction, request_id: string): string => `bonus:${action}:${request_id}`;

/** The request behind a message; undefined where none waits for its answer. */
export function parseControlRef(ref: string): { endpoint: string; request_id: string } | undefined {
  const [, endpoint, request_id] = CONTROL_REF.exec(ref) ?? [];
  return endpoint === undefined || request_id === undefined ? undefined : { endpoint, request_id };
}

/** The id of the bonus that a message grants. */
export function parseGrantRef(ref: string): bigint | undefined {
  const id = GRANT_REF.exec(ref)?.[1];
  return id === undefined ? undefined : BigInt(id);
}
