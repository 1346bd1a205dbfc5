import { FLAG_DOWNGRADE, type State } from "@bourse/engine";
import { FLAG_CALLED, FLAG_OPENED_ON_BONUS } from "../../../engine/src/state/accounts.ts";

const FLAGS = [FLAG_DOWNGRADE, FLAG_OPENED_ON_BONUS, FLAG_CALLED];

/** Mixes numbers into 64 bits: enough to show that nothing has changed, not to prove that two histories are equal. */
class Mixer {
  readonly #number = new Float64Array(1);
  readonly #words = new Uint32Array(this.#number.buffer);
  #low = 0x811c9dc5;
  #high = 0x9e3779b9;

  add(...values: number[]): void {
    for (const value of values) {
      this.#number[0] = value;
      this.#low = Math.imul(this.#low ^ this.#words[0]!, 0x01000193);
      this.#high = Math.imul(this.#high ^ this.#words[1]! ^ (this.#low >>> 15), 0x85ebca6b);
    }
  }

  addText(text: string): void {
    for (let i = 0; i < text.length; i += 1) this.add(text.charCodeAt(i));
  }

  get text(): string {
    return `${(this.#low >>> 0).toString(16)}-${(this.#high >>> 0).toString(16)}`;
  }
}

/**
 * Everything that a refused command must leave unchanged: the whole state except the command number, the time and the
 * number of the last external command.
 */
export function fingerprint(state: State): string {
  const mixer = new Mixer();
  mixer.add(state.lastOrderId, state.totals.feeAccount_micros);
  for (const micros of Object.values(state.totals)) mixer.addText(String(micros));
  addMarkets(state, mixer);
  addAccounts(state, mixer);
  addSymbols(state, mixer);
  for (const conditional of state.conditionals.all()) {
    const { clientId, ...fields } = conditional;
    mixer.add(...Object.values(fields).map(Number));
    mixer.addText(clientId);
  }
  return mixer.text;
}

function addMarkets({ markets, pool, details }: State, mixer: Mixer): void {
  for (const market of markets) {
    mixer.add(market.status, market.markTicks, market.indexTicks, market.lastTicks, market.trades, market.fundingHour);
    mixer.add(market.openInterestLots, ...market.positions);
    mixer.addText(market.definition.symbol);
    market.book.forEachResting((slot) => {
      mixer.add(pool.id(slot), pool.account(slot), pool.ticks(slot), pool.remainingLots(slot), pool.originalLots(slot));
      mixer.add(pool.flags(slot), pool.quote_micros(slot), pool.position(slot));
      mixer.add(details.created_ms(slot), details.updated_ms(slot), details.conditional(slot));
      mixer.addText(details.clientId(slot));
    });
  }
}

function addAccounts({ accounts }: State, mixer: Mixer): void {
  for (let account = 0; account <= accounts.count; account += 1) {
    mixer.add(accounts.principal(account), accounts.bonus(account), accounts.inFlight(account));
    mixer.add(accounts.consumed(account), accounts.locked(account), accounts.expires_ms(account));
    mixer.add(accounts.volume14d(account), accounts.tier(account));
    mixer.add(accounts.termsVersion(account), accounts.termsLeader(account));
    mixer.add(accounts.discount_bps(account), accounts.bonusState(account), accounts.bonusLeverage(account));
    mixer.add(accounts.openPositions(account), ...FLAGS.map((flag) => Number(accounts.hasFlag(account, flag))));
    const at = accounts.volumesAt(account);
    mixer.add(...accounts.volumes.subarray(at, at + 31));
  }
}

function addSymbols({ positions, pool }: State, mixer: Mixer): void {
  for (let position = 1; position <= positions.count; position += 1) {
    mixer.add(positions.account(position), positions.market(position), positions.lots(position));
    mixer.add(positions.cost(position), positions.isolated(position), positions.leverage(position));
    mixer.add(positions.mode(position), positions.openValue(position, 0), positions.openValue(position, 1));
    mixer.add(positions.openLots(position, 0), positions.openLots(position, 1), positions.reduceOnlyLots(position));
    mixer.add(positions.orders(position), positions.conditionals(position), Number(positions.isCalled(position)));
    for (let slot = positions.firstOrder(position); slot !== 0; slot = pool.ownerNext(slot)) mixer.add(pool.id(slot));
  }
}
