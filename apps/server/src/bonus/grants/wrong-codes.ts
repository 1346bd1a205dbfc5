import { Limiter } from "../../kernel/http/limits.ts";
import { refusals } from "../refusals.ts";

const HOUR_s = 3_600;
const MAX_OF_WALLET = 5;
/** Higher than a wallet's limit because many wallets may share an IP; it stops one person with many wallets. */
const MAX_OF_ADDRESS = 20;

/** BON-1: counts the wrong codes of the last hour by wallet and by IP, in real time. */
export class WrongCodes {
  readonly #ofWallet = new Limiter(MAX_OF_WALLET, HOUR_s);
  readonly #ofAddress = new Limiter(MAX_OF_ADDRESS, HOUR_s);

  /** Refuses a wallet or IP with too many wrong codes. */
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
