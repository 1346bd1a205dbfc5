import { movedInto } from "../book/columns.ts";
import { DIGEST_bytes, NO_DIGEST } from "../digest.ts";
import { VOLUME_DAYS } from "../rules/volumes.ts";

/** 128 bytes, read as 16 doubles or 32 words. Fields that an order or a fill touches are in the first 64. */
const BYTES_PER_ACCOUNT = 128;
const PRINCIPAL = 0;
const BONUS = 1;
const FIRST_POSITION = 4;
const TIER = 5;
const DISCOUNT = 6;
const BONUS_STATE = 7;
const OPEN_POSITIONS = 8;
const FLAGS = 9;
const VOLUME_14D = 5;
const TERMS = 6;
const TERMS_LEADER = 14;
const CONSUMED = 8;
const LOCKED = 9;
const EXPIRES = 10;
const LAST_POSITION = 22;
const BONUS_LEVERAGE = 23;
const IN_FLIGHT = 12;

/** A downgrade is announced for the next midnight. */
export const FLAG_DOWNGRADE = 1;
/** A position was opened while there was a bonus. */
export const FLAG_OPENED_ON_BONUS = 2;
/** The account has received its margin call. */
export const FLAG_CALLED = 4;
/** The current command has touched the account; the flag is cleared between commands. */
export const FLAG_TOUCHED = 8;
/** Set with it if orders, positions or transfers changed: the locked part of the bonus is written again. */
export const FLAG_RELOCK = 16;

/** BON-7: a bonus has ended and left something owing. From rules version 5 on. */
export const FLAG_OWES = 32;

/** The flags that persist after a command. */
const LASTING_FLAGS = FLAG_DOWNGRADE | FLAG_OPENED_ON_BONUS | FLAG_CALLED | FLAG_OWES;

/** In place of a leader: the account follows no other account. */
export const OWN_TERMS = 0;

const FIRST_CAPACITY = 256;

/** Accounts by number, as records in one growing buffer. Number 0 is the insurance fund. */
export class Accounts {
  #doubles = new Float64Array(0);
  #words = new Int32Array(0);
  #volumes = new Float64Array(0);
  #commitments = new Uint8Array(0);
  #capacity = 0;
  /** The highest number in use. */
  #last = 0;

  constructor() {
    this.#resize(FIRST_CAPACITY);
  }

  /** The number of accounts without the fund; also the highest number. */
  get count(): number {
    return this.#last;
  }

  isAccount(account: number): boolean {
    return Number.isInteger(account) && account > 0 && account <= this.#last;
  }

  open(): number {
    this.#last += 1;
    if (this.#last === this.#capacity) this.#resize(this.#capacity * 2);
    return this.#last;
  }

  /** The ring of 31 daily volumes of every account, and the offset at which an account's ring begins. */
  get volumes(): Float64Array {
    return this.#volumes;
  }

  volumesAt(account: number): number {
    return account * VOLUME_DAYS;
  }

  /** LOG-1: of its wallet, in hex; "" for none. */
  commitment(account: number): string {
    const start = account * DIGEST_bytes;
    const bytes = this.#commitments.subarray(start, start + DIGEST_bytes);
    return bytes.every((byte) => byte === 0) ? "" : Buffer.from(bytes).toString("hex");
  }

  setCommitment(account: number, commitment: string): void {
    this.#commitments.set(Buffer.from(commitment || NO_DIGEST, "hex"), account * DIGEST_bytes);
  }

  principal(account: number): number {
    return this.#doubles[(account << 4) | PRINCIPAL]!;
  }

  setPrincipal(account: number, micros: number): void {
    this.#doubles[(account << 4) | PRINCIPAL] = micros;
  }

  addPrincipal(account: number, micros: number): void {
    this.#doubles[(account << 4) | PRINCIPAL]! += micros;
  }

  bonus(account: number): number {
    return this.#doubles[(account << 4) | BONUS]!;
  }

  setBonus(account: number, micros: number): void {
    this.#doubles[(account << 4) | BONUS] = micros;
  }

  inFlight(account: number): number {
    return this.#doubles[(account << 4) | IN_FLIGHT]!;
  }

  setInFlight(account: number, micros: number): void {
    this.#doubles[(account << 4) | IN_FLIGHT] = micros;
  }

  /** What costs have consumed of the current grant. */
  consumed(account: number): number {
    return this.#doubles[(account << 4) | CONSUMED]!;
  }

  setConsumed(account: number, micros: number): void {
    this.#doubles[(account << 4) | CONSUMED] = micros;
  }

  /** The locked part of the bonus according to the last line of its ledger. */
  locked(account: number): number {
    return this.#doubles[(account << 4) | LOCKED]!;
  }

  setLocked(account: number, micros: number): void {
    this.#doubles[(account << 4) | LOCKED] = micros;
  }

  expires_ms(account: number): number {
    return this.#doubles[(account << 4) | EXPIRES]!;
  }

  setExpires_ms(account: number, time_ms: number): void {
    this.#doubles[(account << 4) | EXPIRES] = time_ms;
  }

  /** The sum of the last 14 days, kept beside the ring. */
  volume14d(account: number): number {
    return this.#doubles[(account << 4) | VOLUME_14D]!;
  }

  setVolume14d(account: number, micros: number): void {
    this.#doubles[(account << 4) | VOLUME_14D] = micros;
  }

  /** The account's own version, even if it follows another account. */
  termsVersion(account: number): number {
    return this.#doubles[(account << 4) | TERMS]!;
  }

  setTermsVersion(account: number, version: number): void {
    this.#doubles[(account << 4) | TERMS] = version;
  }

  /** The account whose terms it follows, or OWN_TERMS. */
  termsLeader(account: number): number {
    return this.#words[(account << 5) | TERMS_LEADER]!;
  }

  setTermsLeader(account: number, leader: number): void {
    this.#words[(account << 5) | TERMS_LEADER] = leader;
  }

  /** The version that its fills carry. One step only: whom the leader follows does not matter. */
  termsVersionOfFills(account: number): number {
    const leader = this.#words[(account << 5) | TERMS_LEADER]!;
    return this.#doubles[((leader === OWN_TERMS ? account : leader) << 4) | TERMS]!;
  }

  tier(account: number): number {
    return this.#words[(account << 5) | TIER]!;
  }

  setTier(account: number, tier: number): void {
    this.#words[(account << 5) | TIER] = tier;
  }

  discount_bps(account: number): number {
    return this.#words[(account << 5) | DISCOUNT]!;
  }

  setDiscount_bps(account: number, discount_bps: number): void {
    this.#words[(account << 5) | DISCOUNT] = discount_bps;
  }

  /** An index into BONUS_STATES. */
  bonusState(account: number): number {
    return this.#words[(account << 5) | BONUS_STATE]!;
  }

  setBonusState(account: number, state: number): void {
    this.#words[(account << 5) | BONUS_STATE] = state;
  }

  bonusLeverage(account: number): number {
    return this.#words[(account << 5) | BONUS_LEVERAGE]!;
  }

  setBonusLeverage(account: number, leverage: number): void {
    this.#words[(account << 5) | BONUS_LEVERAGE] = leverage;
  }

  /** Positions that are not flat. */
  openPositions(account: number): number {
    return this.#words[(account << 5) | OPEN_POSITIONS]!;
  }

  addOpenPositions(account: number, change: number): void {
    this.#words[(account << 5) | OPEN_POSITIONS]! += change;
  }

  /** The first of the account's entries in `Positions`, 0 for none; each entry names the next. */
  firstPosition(account: number): number {
    return this.#words[(account << 5) | FIRST_POSITION]!;
  }

  setFirstPosition(account: number, position: number): void {
    this.#words[(account << 5) | FIRST_POSITION] = position;
  }

  lastPosition(account: number): number {
    return this.#words[(account << 5) | LAST_POSITION]!;
  }

  setLastPosition(account: number, position: number): void {
    this.#words[(account << 5) | LAST_POSITION] = position;
  }

  hasFlag(account: number, flag: number): boolean {
    return (this.#words[(account << 5) | FLAGS]! & flag) !== 0;
  }

  raiseFlag(account: number, flag: number): void {
    this.#words[(account << 5) | FLAGS]! |= flag;
  }

  lowerFlag(account: number, flag: number): void {
    this.#words[(account << 5) | FLAGS]! &= ~flag;
  }

  /** The flags that persist after a command, as bits. */
  lastingFlags(account: number): number {
    return this.#words[(account << 5) | FLAGS]! & LASTING_FLAGS;
  }

  setLastingFlags(account: number, flags: number): void {
    const at = (account << 5) | FLAGS;
    this.#words[at] = (this.#words[at]! & ~LASTING_FLAGS) | (flags & LASTING_FLAGS);
  }

  #resize(capacity: number): void {
    const records = new ArrayBuffer(capacity * BYTES_PER_ACCOUNT);
    this.#words = movedInto(new Int32Array(records), this.#words);
    this.#doubles = new Float64Array(records);
    this.#volumes = movedInto(new Float64Array(capacity * VOLUME_DAYS), this.#volumes);
    this.#commitments = movedInto(new Uint8Array(capacity * DIGEST_bytes), this.#commitments);
    this.#capacity = capacity;
  }
}
