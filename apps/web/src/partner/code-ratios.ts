import { Decimal, parseTyped } from "../lib/decimal.ts";

/** Ratios are fractions with at most six decimals on the wire; people type per cent. */
const RATIO_DECIMALS = 6;
const HUNDRED = Decimal.parse("100");

export interface SplitInput {
  readonly fee: string;
  readonly rate: string;
  readonly customerRatio: string;
  readonly shareRatio: string;
}

export interface Split {
  readonly nominal: string;
  readonly customer: string;
  readonly share: string;
  readonly net: string;
}

const floor6 = (value: Decimal): Decimal => value.round(RATIO_DECIMALS, "floor");

/** BRK-10: what becomes of a fee; every part is rounded down to a micro, the rest is the partner's. */
export function splitOf({ fee, rate, customerRatio, shareRatio }: SplitInput): Split {
  const paid = Decimal.parse(fee);
  const cap = Decimal.parse(rate);
  const nominal = floor6(paid.mul(cap));
  const customer = floor6(paid.mul(Decimal.min(Decimal.parse(customerRatio), cap)));
  const share = floor6(nominal.sub(customer).mul(Decimal.parse(shareRatio)));
  const net = nominal.sub(customer).sub(share);
  return {
    nominal: nominal.toString(),
    customer: customer.toString(),
    share: share.toString(),
    net: net.toString(),
  };
}

export type TypedRatio =
  | { readonly isRight: true; readonly ratio: string }
  | { readonly isRight: false; readonly mistake: string };

/** Per cent as a person types it, to a fraction of at most `most`. */
export function readPercent(text: string, most: string, ofWhom: string): TypedRatio {
  const percent = parseTyped(text);
  if (percent === undefined) return { isRight: false, mistake: "Type a number of per cent, such as 10 or 12.5." };
  const ratio = percent.div(HUNDRED, RATIO_DECIMALS, "halfUp");
  if (!ratio.mul(HUNDRED).equals(percent)) return { isRight: false, mistake: "At most four decimals of a per cent." };
  if (ratio.gt(Decimal.parse(most))) {
    return { isRight: false, mistake: `At most ${Decimal.parse(most).mul(HUNDRED).toString()} %, ${ofWhom}.` };
  }
  return { isRight: true, ratio: ratio.toString() };
}
