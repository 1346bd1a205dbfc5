import { OrderFlow } from "../../codec/testing/order-flow.ts";
import { Engine } from "../../engine.ts";
import { NEWEST_RULES } from "../../rules/version.ts";
import { State } from "../../state/state.ts";

/** An engine after so many commands of a seeded flow, and the flow, which goes on with it. */
export function busyEngine(
  seed: number,
  commands: number,
  rulesVersion = NEWEST_RULES,
): { readonly engine: Engine; readonly flow: OrderFlow } {
  const engine = new Engine(new State(rulesVersion));
  const flow = new OrderFlow(seed, engine.state);
  for (let i = 0; i < commands; i += 1) engine.apply(flow.next());
  return { engine, flow };
}
