import { CompiledQuery } from "kysely";

/*
 * Rows for `copy … from stdin` in PostgreSQL's text format: one line per row, tabs between columns. The database takes them
 * without planning, and writes whole pages of them at once, which an insert never does.
 */

export const COPY_NULL = "\\N";

const UNSAFE = /[\\\t\n\r]/;
const ALL_UNSAFE = /[\\\t\n\r]/g;
const ESCAPED: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** A value of a text column. */
export function copyValue(value: string | null | undefined): string {
  if (value === null || value === undefined) return COPY_NULL;
  return UNSAFE.test(value) ? value.replace(ALL_UNSAFE, (character) => ESCAPED[character]!) : value;
}

/** The rows of a `copy` statement, which take the place of its parameters on the way to the driver. */
export class CopyRows {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const copyQuery = (statement: string, text: string): CompiledQuery<never> =>
  CompiledQuery.raw(statement, [new CopyRows(text)]) as CompiledQuery<never>;

/** The rows where the parameters are those of a `copy` statement. */
export function copyRowsOf([first]: readonly unknown[]): string | undefined {
  return first instanceof CopyRows ? first.text : undefined;
}
