/** Whether a statement failed because a unique constraint (the named one, if given) already has such a row. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof Error) || Reflect.get(error, "code") !== "23505") return false;
  return constraint === undefined || Reflect.get(error, "constraint") === constraint;
}
