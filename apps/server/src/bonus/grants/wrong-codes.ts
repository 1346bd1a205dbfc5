import { Limiter } from "../../kernel/http/limits.ts";
import { refusals } from "../refusals.ts";

const HOUR_s = 3_600;
const MOST_OF_WALLET = 5;
/** Many wallets may sit behind one address; this is against one person with many wallets. */
const MOST_OF_ADDRESS = 20;

/** BON-1: wrong codes of an hour, by wallet and by the address they come from, in real time. */
export class WrongCodes {
  readonly #ofWallet = new Limiter(MOST_OF_WALLET, HOUR_s);
  readonly #ofAddress = new Limiter(MOST_OF_ADDRESS, HOUR_s);

  /** Refuses those who have tried too many. */
  async assertFew(wallet: string, address: string): Promise<void> {
    for (const { isWithin, windowLeft_ms } of [
      await this.#ofWallet.peek(wallet),
      await this.#ofAddress.peek(address),
    ]) {
      if (!isWithin) throw refusals.tooManyWrongCodes(Math.max(1, Math.ceil(windowLeft_ms / 1000)));
    }
  }

  async count(wallet: string, address: string): Promise<void> {
    await this.#ofWallet.take(wallet, 1);
    await this.#ofAddress.take(address, 1);
  }
}
