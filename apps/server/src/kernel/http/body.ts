import { parse as parseSafely } from "secure-json-parse";
import { ApiError, badRequest } from "../errors.ts";

export const BODY_LIMIT_BYTES = 256 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A number with more digits than this may be changed by the parser. */
const EXACT_DIGITS = 15;

/** Whether a number's text means exactly the parsed number. */
function isExact(source: string, value: number): boolean {
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value);
  const [mantissa = ""] = source.split(/e/i);
  const digits = mantissa.replace(/[-.]/g, "").replace(/^0+/, "");
  return digits.replace(/0+$/, "").length <= EXACT_DIGITS;
}

/** WIRE-2: numbers are accepted only if they are exact; text may have any number of digits. */
function refuseInexact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || context?.source === undefined || isExact(context.source, value)) return value;
  throw badRequest(`the number ${context.source.slice(0, 40)} has too many digits; send it as a string`);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Parses the JSON object of a request from its raw bytes. An absent body is an empty object. */
export function readJsonBody(raw: Buffer, contentType: string | undefined): Record<string, unknown> {
  if (raw.length === 0) return {};
  const [mediaType = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  const isUtf8 = parameters.every(
    (parameter) => !/^\s*charset=/.test(parameter) || /=\s*"?utf-8"?\s*$/.test(parameter),
  );
  if (mediaType.trim() !== "application/json" || !isUtf8) {
    throw new ApiError(415, "UNSUPPORTED_MEDIA_TYPE", "the body must be application/json in UTF-8");
  }
  let value: unknown;
  try {
    value = parseSafely(utf8.decode(raw), refuseInexact, { protoAction: "error", constructorAction: "error" });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw badRequest("the body is not valid JSON");
  }
  if (!isObject(value)) throw badRequest("the body must be a JSON object");
  return value;
}

const FORM = "application/x-www-form-urlencoded";

/** Refuses a body whose content type is not a form. An empty body may have any content type. */
export function checkFormType(body: string, contentType: string | undefined): void {
  if (body === "" || contentType === FORM) return;
  const mediaType = (contentType ?? "").toLowerCase().split(";")[0]!.trim();
  if (mediaType !== FORM) throw new ApiError(415, "UNSUPPORTED_MEDIA_TYPE", `the body must be ${FORM}`);
}
