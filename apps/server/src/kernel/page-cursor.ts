import { createHmac, timingSafeEqual } from "node:crypto";
import { ApiError } from "./errors.ts";

const SIGNATURE_BYTES = 16;

/** Where a row is in its list: what the list is ordered by. */
export type Position = readonly (string | number)[];

/** The cursor was not issued by this server for this list (WIRE-8: 400). */
export class BadCursor extends ApiError {
  constructor() {
    super(400, "INVALID_CURSOR", "the cursor is not one of this list", { details: { rule: "cursor" } });
    this.name = "BadCursor";
  }
}

/** Parts are separated by dots, so a part has none. */
const escaped = (part: string | number) => encodeURIComponent(part).replaceAll(".", "%2E");

/**
 * The end of a page as an opaque text that only this server can make. It is valid for one list only: the owner, the filters and the
 * order are part of the signed text.
 */
export class PageCursors {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    if (key.length < 16) throw new RangeError("the key that signs cursors has 16 bytes at least");
    this.#key = key;
  }

  encode(list: readonly (string | number)[], position: Position): string {
    const content = Buffer.from(position.map(escaped).join("."));
    return Buffer.concat([this.#sign(list, content), content]).toString("base64url");
  }

  decode(list: readonly (string | number)[], cursor: string): string[] {
    const bytes = Buffer.from(cursor, "base64url");
    const content = bytes.subarray(SIGNATURE_BYTES);
    const isWhole = bytes.length > SIGNATURE_BYTES && bytes.toString("base64url") === cursor;
    if (!isWhole || !timingSafeEqual(this.#sign(list, content), bytes.subarray(0, SIGNATURE_BYTES))) {
      throw new BadCursor();
    }
    return content.toString().split(".").map(decodeURIComponent);
  }

  #sign(list: readonly (string | number)[], content: Uint8Array): Buffer {
    const mac = createHmac("sha256", this.#key);
    mac.update(`${JSON.stringify(list)}\n`).update(content);
    return mac.digest().subarray(0, SIGNATURE_BYTES);
  }
}
