import { type Demo, startDemo } from "../demo/demo.ts";
import { parseMoney } from "../units.ts";
import type { Money } from "./money.ts";
import type { ExchangeSystemOptions } from "./options.ts";

/** The demo's bots, once there is a server for them to talk to. */
export class DemoTraders {
  readonly #options: ExchangeSystemOptions;
  readonly #money: Money;
  readonly #addresses = new Set<string>();
  #demo: Demo | undefined;

  constructor(options: ExchangeSystemOptions, money: Money) {
    this.#options = options;
    this.#money = money;
  }

  /** Lower case. */
  has(address: string): boolean {
    return this.#addresses.has(address);
  }

  start(baseUrl: string): void {
    const { settings, clock, random, identity, log } = this.#options;
    this.#demo = startDemo({
      baseUrl,
      clock,
      random,
      walletSeed: settings.secretsKey,
      apiKeys: identity.apiKeys,
      fund: (address, usdt) => this.#fund(address, usdt),
      onError: (message, error) => log.warn({ err: error }, message),
    });
    for (const address of this.#demo.addresses) this.#addresses.add(address);
  }

  async stop(): Promise<void> {
    await this.#demo?.stop();
  }

  async #fund(address: string, usdt: string): Promise<void> {
    const amount = parseMoney(usdt);
    if (amount === undefined || amount.isInexact) throw new RangeError(`no amount of USDT: ${usdt}`);
    // Named by the moment: a bot that has lost its money may be given more, once at a time.
    const request = `demo:${this.#options.clock.now()}`;
    await this.#money.onChain.faucet.give({ address, amount_micros: amount.value, request });
  }
}
