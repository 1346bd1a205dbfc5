import { RULES_WITH_REFERENCES } from "../../rules/version.ts";
import { FLAG_CALLED, FLAG_DOWNGRADE } from "../../state/accounts.ts";
import type { State } from "../../state/state.ts";
import { busyEngine } from "./busy-engine.ts";

/** A busy state with values in it that a short flow does not lead to: the one whose snapshot is kept as a file. */
export function goldenState(rulesVersion: number): State {
  const { state } = busyEngine(8, 2_000, rulesVersion).engine;
  const { accounts, positions, totals } = state;
  accounts.raiseFlag(2, FLAG_DOWNGRADE);
  accounts.raiseFlag(3, FLAG_CALLED);
  accounts.setTier(4, 2);
  // The same amount as 0, so the same bytes.
  accounts.setConsumed(5, -0);
  accounts.setPrincipal(6, -1);
  accounts.setExpires_ms(7, 8.64e15);
  positions.setCalled(1, true);
  positions.setIsolated(2, -(2 ** 40));
  totals.deposits_micros += 10n ** 20n;
  if (rulesVersion >= RULES_WITH_REFERENCES) {
    accounts.setCommitment(2, "2b".repeat(32));
    accounts.setCommitment(3, "3c".repeat(32));
  }
  return state;
}
