import { type Demo, startDemo } from "../../dev/index.ts";
import { parseMoney } from "../../kernel/units.ts";
import type { Money } from "./money.ts";
import type { ExchangeSystemOptions } from "./options.ts";

/** The demo's bots, started when the server listens. */
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
    // The reference contains the time: a bot that has lost its money may get more, once per moment.
    const request = `demo:${this.#options.clock.now()}`;
    await this.#money.onChain.faucet.give({ address, amount_micros: amount.value, request });
  }
}
