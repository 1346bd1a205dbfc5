import { BadCursor } from "../kernel/page-cursor.ts";
import { readPage } from "../kernel/pages.ts";
import { refusals } from "./refusals.ts";

/** Reads a page of a bonus list; a malformed cursor has the program's own code. */
export const readBonusPage: typeof readPage = async (cursors, request, list) => {
  try {
    return await readPage(cursors, request, list);
  } catch (error) {
    throw error instanceof BadCursor ? refusals.invalidCursor() : error;
  }
};
