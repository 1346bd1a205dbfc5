export { Decimal, MAX_DIGITS } from "./decimal.ts";
export { MoneyError, type MoneyErrorReason } from "./errors.ts";
export { checkRange, INT64, INT256, type IntegerRange, SAFE_INTEGER, UINT256 } from "./range.ts";
export { divide, mulDiv, type Rounding } from "./rounding.ts";
export { splitByLargestRemainder } from "./split.ts";
export { MAX_DECIMALS, MAX_TEXT_LENGTH } from "./text.ts";
export { formatUnits, formatUnitsTrimmed, type ParseUnitsOptions, parseUnits } from "./units.ts";
