import type { Style } from "./actors/traders.ts";
import type { Client } from "./ground/client.ts";
import { Person } from "./ground/person.ts";

const MAJORS = ["BTCUSDT", "ETHUSDT"];
const ALL = [...MAJORS, "SOLUSDT", "AVAXUSDT"];

interface Role extends Style {
  /** The initial deposit in USDT; 0 for those who trade on a bonus. */
  readonly deposit: number;
}

/** The roles of a simulation. */
const ROLES = {
  maker1: { deposit: 2_000_000, value: 20_000, turns: 2, isMaker: true, symbols: ALL },
  maker2: { deposit: 2_000_000, value: 15_000, turns: 2, isMaker: true, symbols: ALL },
  whale: { deposit: 3_000_000, value: 60_000, turns: 3, isMaker: false, symbols: MAJORS },
  trader1: { deposit: 20_000, value: 900, isMaker: false, symbols: ALL },
  trader2: { deposit: 15_000, value: 700, isMaker: false, symbols: ALL },
  gambler1: {
    deposit: 2_000,
    value: 9_000,
    leverage: 20,
    buys: 0.95,
    turns: 3,
    isMaker: false,
    symbols: ["BTCUSDT", "SOLUSDT"],
  },
  gambler2: {
    deposit: 2_000,
    value: 8_000,
    leverage: 20,
    buys: 0.05,
    turns: 3,
    isMaker: false,
    symbols: ["ETHUSDT", "AVAXUSDT"],
  },
  kol: { deposit: 8_000, value: 500, isMaker: false, symbols: ALL },
  sub: { deposit: 8_000, value: 500, isMaker: false, symbols: ALL },
  kolCustomer: { deposit: 9_000, value: 800, isMaker: false, symbols: ALL },
  subCustomer: { deposit: 9_000, value: 800, isMaker: false, symbols: ALL },
  bonus1: { deposit: 100, value: 300, isMaker: false, symbols: MAJORS },
  bonus2: { deposit: 0, value: 250, isMaker: false, symbols: MAJORS },
  bonus3: { deposit: 50, value: 250, isMaker: false, symbols: MAJORS },
  saver1: { deposit: 1_000, value: 300, isMaker: false, symbols: MAJORS },
  saver2: { deposit: 1_000, value: 300, isMaker: false, symbols: MAJORS },
} as const satisfies Record<string, Role>;
export type RoleName = keyof typeof ROLES;

/** All people of a seed, by role. */
export class Cast {
  readonly people: readonly Person[];
  readonly styles: ReadonlyMap<Person, Style>;
  /** Every person as many times as its weight. */
  readonly turns: readonly Person[];
  readonly #byName: ReadonlyMap<string, Person>;

  constructor(seed: string, client: Client) {
    this.people = Object.keys(ROLES).map((name) => new Person(seed, name, client));
    this.#byName = new Map(this.people.map((person) => [person.name, person]));
    this.turns = this.people.flatMap((person) => {
      const role: Role = ROLES[person.name as RoleName];
      return Array.from({ length: role.turns ?? 1 }, () => person);
    });
    this.styles = new Map(this.people.map((person) => [person, ROLES[person.name as RoleName]]));
  }

  of(name: RoleName): Person {
    return this.#byName.get(name)!;
  }

  firstDeposit(person: Person): bigint {
    return BigInt(ROLES[person.name as RoleName].deposit) * 1_000_000n;
  }
}
