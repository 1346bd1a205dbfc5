/** Whether a statement failed because a unique constraint (the one named, if any) already holds such a row. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof Error) || Reflect.get(error, "code") !== "23505") return false;
  return constraint === undefined || Reflect.get(error, "constraint") === constraint;
}
