import assert from "node:assert/strict";
import type { KeptGround } from "../../../testing/test-platform.ts";
import { PartnersScene } from "../../partners/testing/scene.ts";

/** A wallet with a token. */
export interface Trader {
  readonly address: string;
  readonly token: string;
}

const PRICE = 50_000;

/** Partners and customers on a running exchange, where a fee of 100 USDT is a trade of 4 BTC at 50,000 (taker 0.05 %). */
export class TradingFloor {
  readonly scene: PartnersScene;
  #maker: Trader;
  #side: "BUY" | "SELL" = "BUY";

  private constructor(scene: PartnersScene, maker: Trader) {
    this.scene = scene;
    this.#maker = maker;
  }

  static async open(kept?: KeptGround): Promise<TradingFloor> {
    const scene = await PartnersScene.open(kept);
    await scene.platform.post("/api/v1/dev/price", { symbol: "BTCUSDT", price: String(PRICE) });
    const floor = new TradingFloor(scene, await scene.visitor());
    await floor.fund(floor.#maker);
    return floor;
  }

  /** After the clock was moved: the price is fresh, and those who rest and administer are signed in. */
  async renew(): Promise<void> {
    await this.scene.platform.post("/api/v1/dev/price", { symbol: "BTCUSDT", price: String(PRICE) });
    await this.scene.renewAdmin();
    this.#maker = await this.scene.visitor();
    await this.fund(this.#maker);
  }

  close(): Promise<void> {
    return this.scene.close();
  }

  async fund({ address }: Pick<Trader, "address">): Promise<void> {
    await this.scene.fund({ address }, "500000");
  }

  async order({ token }: Trader, order: object): Promise<void> {
    const draft = { symbol: "BTCUSDT", type: "LIMIT", price: String(PRICE), time_in_force: "GTC", ...order };
    const reply = await this.scene.platform.post("/api/v1/orders", draft, token);
    assert.equal(reply.statusCode, 200, reply.body);
  }

  /** The trader takes; the fee is 100 USDT for 4 BTC. Sides alternate, so that positions do not grow. */
  async take(trader: Trader, quantity = "4"): Promise<void> {
    const side = this.#side;
    this.#side = side === "BUY" ? "SELL" : "BUY";
    await this.order(this.#maker, { side: this.#side, quantity });
    await this.order(trader, { side, quantity });
  }
}
