/**
 * A function made from text when the program is loaded, so that every field of a table has a line of its own, as if written by
 * hand: a loop over the fields, which sees records of all shapes, takes twice as long. The text consists of names that stand
 * in tables of this program and of nothing else.
 */
export function compiled<Compiled>(parameters: readonly string[], body: string): Compiled {
  return new Function(...parameters, `"use strict"; ${body}`) as Compiled;
}
