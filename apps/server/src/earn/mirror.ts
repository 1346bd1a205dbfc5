import { createHash } from "node:crypto";
import type { Address, Hex } from "viem";
import type { EventOf } from "../chain/index.ts";
import type { ChainFacts } from "./rules.ts";
import { type EarnTerms, interestOf } from "./terms.ts";

export type EarnEvent = EventOf<"earn">;
type Named<Name extends EarnEvent["name"]> = Extract<EarnEvent, { readonly name: Name }>;
type Subscribed = Named<"Subscribed">;
type Claimed = Named<"Claimed">;
type EmergencyClaimed = Named<"EmergencyClaimed">;

/** The contract's state of a product. */
export interface ChainProduct {
  readonly chainProductId: bigint;
  terms: EarnTerms;
  status: ChainFacts["status"];
  subscriberCount: number;
  subscribed: bigint;
  principal: bigint;
  interestOwed: bigint;
  funded: bigint;
}

interface Paid {
  readonly transactionHash: Hex;
  readonly time_ms: number;
}

/** A user's position in a product, also after it was paid out. */
export interface Position {
  readonly id: string;
  readonly chainProductId: bigint;
  readonly user: Address;
  principal: bigint;
  interest: bigint;
  tokenId: bigint;
  subscribeTxHash: Hex;
  subscribed_ms: number;
  claim: Paid | undefined;
  refund: Paid | undefined;
}

export const lowerCase = (address: Address): Address => address.toLowerCase() as Address;

/** T5: a position's id is derived from user and product, so that indexing it again gives the same id. */
export function positionId(chainProductId: bigint, user: Address): string {
  const hex = createHash("sha256").update(`earn position ${chainProductId} ${user}`).digest("hex");
  // A UUID of version 8, which allows custom bits.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The events and the rows contradict each other: an event was missed or applied twice. */
export class MirrorFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MirrorFault";
  }
}

/**
 * The part of the contract's state that some events touch: loaded, changed by each event in order, and stored. Every event can be
 * undone; undo gets them newest first.
 */
export class Mirror {
  readonly products = new Map<bigint, ChainProduct>();
  readonly positions = new Map<string, Position>();
  readonly removedProducts = new Set<bigint>();
  readonly removedPositions = new Set<string>();

  apply(event: EarnEvent): void {
    switch (event.name) {
      case "ProductCreated":
        this.#create(event);
        return;
      case "ProductUpdated":
        this.#product(event.args.productId).terms = event.args.newTerms;
        return;
      case "ProductFunded":
      case "ExcessWithdrawn":
        this.#product(event.args.productId).funded = event.args.newFunded;
        return;
      case "ProductSettled":
        this.#product(event.args.productId).status = "settled";
        return;
      case "ProductCancelled":
        this.#product(event.args.productId).status = "cancelled";
        return;
      case "Subscribed":
        this.#enter(event);
        return;
      case "Claimed":
        this.#leave(event, event.args.interest, "claim");
        return;
      case "EmergencyClaimed":
        this.#leave(event, 0n, "refund");
        return;
    }
  }

  undo(event: EarnEvent): void {
    switch (event.name) {
      case "ProductCreated":
        this.#product(event.args.productId);
        this.products.delete(event.args.productId);
        this.removedProducts.add(event.args.productId);
        return;
      case "ProductUpdated":
        this.#product(event.args.productId).terms = event.args.oldTerms;
        return;
      case "ProductFunded":
      case "ExcessWithdrawn":
        this.#product(event.args.productId).funded = event.args.oldFunded;
        return;
      case "ProductSettled":
      case "ProductCancelled":
        this.#product(event.args.productId).status = "open";
        return;
      case "Subscribed":
        this.#undoEnter(event);
        return;
      case "Claimed":
        this.#undoLeave(event, event.args.interest, "claim");
        return;
      case "EmergencyClaimed":
        this.#undoLeave(event, 0n, "refund");
        return;
    }
  }

  #create({ args: { productId, terms } }: Named<"ProductCreated">): void {
    if (this.products.has(productId)) throw new MirrorFault(`product ${productId} was created twice`);
    const nothing = { subscriberCount: 0, subscribed: 0n, principal: 0n, interestOwed: 0n, funded: 0n };
    this.products.set(productId, { chainProductId: productId, terms, status: "open", ...nothing });
    this.removedProducts.delete(productId);
  }

  /** The interest is computed for the whole position and rounded down once, as in the contract. */
  #enter({ args, transactionHash, blockTime_ms }: Subscribed): void {
    const product = this.#product(args.productId);
    const position = this.#openPosition(args, transactionHash, blockTime_ms);
    if (position.principal === 0n) product.subscriberCount += 1;
    this.#changePrincipal(product, position, args.amount);
  }

  #undoEnter({ args }: Subscribed): void {
    const product = this.#product(args.productId);
    const position = this.#position(args.productId, args.user);
    this.#changePrincipal(product, position, -args.amount);
    if (position.principal > 0n) return;
    product.subscriberCount -= 1;
    this.positions.delete(position.id);
    this.removedPositions.add(position.id);
  }

  #changePrincipal(product: ChainProduct, position: Position, change: bigint): void {
    position.principal += change;
    const interest = interestOf(position.principal, product.terms);
    product.subscribed += change;
    product.principal += change;
    product.interestOwed += interest - position.interest;
    position.interest = interest;
  }

  #openPosition(args: Subscribed["args"], transactionHash: Hex, time_ms: number): Position {
    const user = lowerCase(args.user);
    const id = positionId(args.productId, user);
    const known = this.positions.get(id);
    if (known !== undefined) return known;
    const opened: Position = {
      id,
      chainProductId: args.productId,
      user,
      principal: 0n,
      interest: 0n,
      tokenId: args.tokenId,
      subscribeTxHash: transactionHash,
      subscribed_ms: time_ms,
      claim: undefined,
      refund: undefined,
    };
    this.positions.set(id, opened);
    this.removedPositions.delete(id);
    return opened;
  }

  #leave(event: Claimed | EmergencyClaimed, paidInterest: bigint, how: "claim" | "refund"): void {
    const { productId, user, principal } = event.args;
    const product = this.#product(productId);
    const position = this.#position(productId, user);
    if (position.principal !== principal) {
      throw new MirrorFault(`position ${position.id} holds ${position.principal}, but ${principal} was paid out`);
    }
    position[how] = { transactionHash: event.transactionHash, time_ms: event.blockTime_ms };
    product.principal -= principal;
    product.interestOwed -= position.interest;
    product.funded -= paidInterest;
  }

  #undoLeave(event: Claimed | EmergencyClaimed, paidInterest: bigint, how: "claim" | "refund"): void {
    const product = this.#product(event.args.productId);
    const position = this.#position(event.args.productId, event.args.user);
    position[how] = undefined;
    product.principal += event.args.principal;
    product.interestOwed += position.interest;
    product.funded += paidInterest;
  }

  #product(chainProductId: bigint): ChainProduct {
    const product = this.products.get(chainProductId);
    if (product === undefined) throw new MirrorFault(`product ${chainProductId} is not known`);
    return product;
  }

  #position(chainProductId: bigint, user: Address): Position {
    const position = this.positions.get(positionId(chainProductId, lowerCase(user)));
    if (position === undefined) throw new MirrorFault(`${user} has no position in product ${chainProductId}`);
    return position;
  }
}
