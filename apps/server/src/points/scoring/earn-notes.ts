import type { EngineRequest } from "../../kernel/engine-requests/engine-requests.ts";
import type { HeldPrincipal } from "../options.ts";
import type { Rule } from "./formulas.ts";

/** A position that gets points of a day, and the wallet that gets a share of them. Market makers are left out. */
export interface ScoredPosition extends HeldPrincipal {
  readonly inviter: string | undefined;
}

/**
 * LOG-3: what the earn points of a day were computed from. Neither the chain nor the log tells afterwards who was whose inviter at
 * that moment, so the log gets it with the points.
 */
export interface EarnNote {
  readonly day: number;
  readonly rule: Rule;
  readonly positions: readonly ScoredPosition[];
}

interface Details {
  readonly points_earn: Pick<EarnNote, "day" | "rule">;
}

type PackedPosition = readonly [subscription_id: string, address: string, principal_micros: string, inviter?: string];

/** About 150 bytes for each position; a command holds 65,536. */
const MAX_POSITIONS = 300;

export function earnNotes(day: number, rule: Rule, positions: readonly ScoredPosition[]): EngineRequest[] {
  const requests: EngineRequest[] = [];
  const details: Details = { points_earn: { day, rule } };
  for (let at = 0; at < positions.length; at += MAX_POSITIONS) {
    const some = positions.slice(at, at + MAX_POSITIONS);
    const packed = some.map(({ subscription_id, address, principal_micros, inviter }): PackedPosition => {
      const own = [subscription_id, address, String(principal_micros)] as const;
      return inviter === undefined ? own : [...own, inviter];
    });
    // A position is scored once a day.
    const ref = `points-earn:${day}:${some[0]!.subscription_id}`;
    requests.push({ ref, command: { kind: "note" }, details, secret: JSON.stringify(packed) });
  }
  return requests;
}

/** The note of a command of the log; undefined for other notes. */
export function readEarnNote(details: unknown, secret: string | undefined): EarnNote | undefined {
  const { points_earn } = (details ?? {}) as Partial<Details>;
  if (points_earn === undefined || secret === undefined) return undefined;
  const positions = (JSON.parse(secret) as PackedPosition[]).map(
    ([subscription_id, address, principal_micros, inviter]): ScoredPosition => ({
      subscription_id,
      address,
      principal_micros: BigInt(principal_micros),
      inviter,
    }),
  );
  return { ...points_earn, positions };
}
