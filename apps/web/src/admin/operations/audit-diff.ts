/** One leaf of a value: added, removed, changed or the same. */
export interface Difference {
  /** Such as "brackets.0.cap"; empty for a value that is no object. */
  readonly path: string;
  readonly kind: "added" | "removed" | "changed" | "same";
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const isHolder = (value: unknown): value is object => typeof value === "object" && value !== null;
const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Every leaf under its path; an empty object or list is a leaf. */
function leavesOf(value: unknown, path = ""): [string, string][] {
  if (!isHolder(value) || Object.keys(value).length === 0) return [[path, textOf(value)]];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, path === "" ? name : `${path}.${name}`));
}

const nothing = (value: unknown) => value === null || value === undefined;

function kindOf(before: string | undefined, after: string | undefined): Difference["kind"] {
  if (before === undefined) return "added";
  if (after === undefined) return "removed";
  return before === after ? "same" : "changed";
}

/** Leaf by leaf what an entry of the audit log has changed, in the order of their paths. */
export function differencesOf(before: unknown, after: unknown): readonly Difference[] {
  const was = new Map(nothing(before) ? [] : leavesOf(before));
  const is = new Map(nothing(after) ? [] : leavesOf(after));
  const paths = [...new Set([...was.keys(), ...is.keys()])].toSorted();
  return paths.map((path) => {
    const [old, next] = [was.get(path), is.get(path)];
    return { path, kind: kindOf(old, next), before: old, after: next };
  });
}
