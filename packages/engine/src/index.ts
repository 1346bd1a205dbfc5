export {
  AWAY,
  addChecked,
  CEIL,
  EngineOverflow,
  FLOOR,
  mulChecked,
  mulDiv,
  type Rounding,
  subChecked,
  TRUNC,
} from "./integers.ts";
