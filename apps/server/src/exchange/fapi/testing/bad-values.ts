/*
 * Kinds of parameters with the values that each refuses, and the documented codes: a value that is not of its kind gets
 * -1102 if the parameter is required and -1130 if it is optional; for other values see the list of codes.
 */

/** Values by the code that they get. */
export type Refused = readonly (readonly [code: number, values: readonly string[]])[];

export interface Kind {
  readonly malformed: Refused;
  readonly outOfRange: Refused;
  readonly hostile: Refused;
}

/** `format` is the code for a value that is not of its kind. */
type KindOf = (format: number) => Kind;

export interface Input extends Kind {
  readonly isNeeded: boolean;
}

const MISSING_OR_MALFORMED = -1102;
const BAD_DATA = -1130;

export const needed = (kindOf: KindOf): Input => ({ ...kindOf(MISSING_OR_MALFORMED), isNeeded: true });
export const optional = (kindOf: KindOf): Input => ({ ...kindOf(BAD_DATA), isNeeded: false });

/** Input of an attacker. */
const HOSTILE = [
  "'; drop table exchange_order; --",
  "__proto__",
  "constructor",
  "<script>alert(1)</script>",
  "\u0000",
  "../../etc/passwd",
  "{}",
  "\u202e\u{1f600}",
  "x".repeat(5_000),
];
/** The same without texts that are valid client ids. */
const HOSTILE_NAMES = HOSTILE.filter((text) => !/^[.A-Z:/a-z0-9_-]{1,36}$/.test(text));

const NO_DECIMALS = ["abc", "1e3", "NaN", "Infinity", "0x10", "1,5", "+1", "--1", "1.2.3", ".", "-", " 1 ", "\uff11"];
const NO_WHOLE_NUMBERS = [...NO_DECIMALS, "1.5", "1.0", "true"];
const DIGITS_400 = "9".repeat(400);

export const symbol: KindOf = () => ({
  malformed: [[-1121, ["btcusdt", "BTC/USDT", " BTCUSDT", "BTCUSDT,ETHUSDT"]]],
  outOfRange: [[-1121, ["NOPEUSDT", "BTCUSDT_260925"]]],
  hostile: [[-1121, HOSTILE]],
});

/** For BTCUSDT, whose tick is 0.1. */
export const price: KindOf = (format) => ({
  malformed: [[format, NO_DECIMALS]],
  outOfRange: [
    [-4014, ["0", "-0.0", "-58000", "58000.05"]],
    [-1111, ["58000.123", "0.000000000001"]],
    [-4016, ["1677721.6", "99999999999999999999"]],
  ],
  hostile: [[format, [...HOSTILE, DIGITS_400]]],
});

/** For BTCUSDT, whose lot is 0.001. */
export const quantity: KindOf = (format) => ({
  malformed: [[format, NO_DECIMALS]],
  outOfRange: [
    [-4003, ["0", "0.000", "-0", "-1"]],
    [-1013, ["0.0009", "0.00000000000001"]],
    [-4005, ["8796093022.209", "99999999999999999999"]],
  ],
  hostile: [[format, [...HOSTILE, DIGITS_400]]],
});

/** In USDT. */
export const amount: KindOf = (format) => ({
  malformed: [[format, NO_DECIMALS]],
  outOfRange: [
    [-4003, ["0", "-1"]],
    [-1013, ["0.0000001"]],
    [-4005, ["1000000000.000001", "99999999999999999999"]],
  ],
  hostile: [[format, [...HOSTILE, DIGITS_400]]],
});

export const callbackRate: KindOf = (format) => ({
  malformed: [[format, NO_DECIMALS]],
  outOfRange: [[-2007, ["0", "-1", "0.09", "0.101", "10.01", "99999999999999999999"]]],
  hostile: [[format, [...HOSTILE, DIGITS_400]]],
});

const wholeNumber =
  (outOfRange: Refused): KindOf =>
  (format) => ({ malformed: [[format, NO_WHOLE_NUMBERS]], outOfRange, hostile: [[format, [...HOSTILE, DIGITS_400]]] });

export const leverage = wholeNumber([[-4028, ["0", "-5", "51", "125"]]]);
export const time = wholeNumber([[BAD_DATA, ["-1", "8640000000000001"]]]);
export const limit = wholeNumber([[BAD_DATA, ["0", "-1"]]]);
export const depthLimit = wholeNumber([[BAD_DATA, ["4", "0", "-1"]]]);
export const page = wholeNumber([[BAD_DATA, ["0", "-1", "100001"]]]);
export const countdown = wholeNumber([[BAD_DATA, ["-1", "86400001"]]]);
export const marginMove = wholeNumber([[BAD_DATA, ["0", "3", "-1"]]]);
/** The id from which a list begins. */
export const firstId = wholeNumber([[BAD_DATA, ["-1"]]]);

/** The id of an order or conditional order. Optional, because another parameter can name the order too. */
export const id: KindOf = () => ({
  malformed: [[BAD_DATA, NO_WHOLE_NUMBERS]],
  outOfRange: [[BAD_DATA, ["0", "-1", "9999999999999999"]]],
  hostile: [[BAD_DATA, [...HOSTILE, DIGITS_400]]],
});

const name =
  (code: number): KindOf =>
  () => ({
    malformed: [[code, ["a b", "a,b", "\u00e4"]]],
    outOfRange: [[code, ["x".repeat(37)]]],
    hostile: [[code, HOSTILE_NAMES]],
  });

/** The client id of an existing and of a new order. */
export const knownName = name(-1100);
export const newName = name(-4015);

/** One of a few words; other words get this code. */
export const word =
  (code: number, good: string): KindOf =>
  () => ({
    malformed: [[code, [good.toLowerCase(), ` ${good}`, `${good},${good}`]]],
    outOfRange: [[code, ["OTHER", "0"]]],
    hostile: [[code, HOSTILE]],
  });

/** The end of a GTD order. */
export const goodTill: KindOf = () => ({
  malformed: [[-5040, NO_WHOLE_NUMBERS]],
  outOfRange: [[-5040, ["0", "-1", "253402300799000", DIGITS_400]]],
  hostile: [[-5040, HOSTILE]],
});

export const interval: KindOf = () => ({
  malformed: [[-1120, ["1M", "1", "m", " 1m", "60000"]]],
  outOfRange: [[-1120, ["0m", "7m", "2d", "1w"]]],
  hostile: [[-1120, HOSTILE]],
});

/** Of statistics. */
export const period: KindOf = () => ({
  malformed: [[BAD_DATA, ["5M", "5", "m", " 5m", "300000"]]],
  outOfRange: [[BAD_DATA, ["1m", "3m", "8h", "2d", "1w"]]],
  hostile: [[BAD_DATA, HOSTILE]],
});

/** A text that names nothing, whatever its form. */
export const unknownText: KindOf = () => ({
  malformed: [[BAD_DATA, ["x", "1"]]],
  outOfRange: [[BAD_DATA, ["00000000-0000-4000-8000-000000000000"]]],
  hostile: [[BAD_DATA, HOSTILE]],
});

export const flag: KindOf = (format) => ({
  malformed: [[format, ["yes", "tru", " true", "null"]]],
  outOfRange: [[format, ["0", "1", "2"]]],
  hostile: [[format, HOSTILE]],
});

/** JSON text: a list of orders. */
export const batch: KindOf = (format) => ({
  malformed: [[format, ["x", "{}", "null", "1", "[", '"[]"']]],
  outOfRange: [[-4082, ["[]", "[{},{},{},{},{},{}]"]]],
  hostile: [[format, HOSTILE]],
});

/** JSON text: a list of ids or client ids; a bad element gets this code. */
export const list =
  (code: number, badElements: readonly string[]): KindOf =>
  () => ({
    malformed: [[MISSING_OR_MALFORMED, ["x", "{}", "null", "1", "["]]],
    outOfRange: [
      [BAD_DATA, ["[]", "[1,2,3,4,5,6,7,8,9,10,11]", "[null]", "[[1]]", "[{}]", "[true]"]],
      [code, badElements],
    ],
    hostile: [[MISSING_OR_MALFORMED, HOSTILE]],
  });
