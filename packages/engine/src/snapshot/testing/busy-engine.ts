import { OrderFlow } from "../../codec/testing/order-flow.ts";
import { Engine } from "../../engine.ts";

/** An engine after a number of commands of a seeded flow, and the flow, which can continue with it. */
export function busyEngine(seed: number, commands: number): { readonly engine: Engine; readonly flow: OrderFlow } {
  const engine = new Engine();
  const flow = new OrderFlow(seed, engine.state);
  for (let i = 0; i < commands; i += 1) engine.apply(flow.next());
  return { engine, flow };
}
