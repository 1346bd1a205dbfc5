/** Copies a typed array into a larger one; the remaining elements are zero, which means "none". */
export function movedInto<Column extends { set(from: Column): void }>(larger: Column, smaller: Column): Column {
  larger.set(smaller);
  return larger;
}
