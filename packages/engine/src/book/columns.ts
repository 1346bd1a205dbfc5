/** Growing a typed array means a larger one with the same beginning; the rest is zero, which stands for "none". */
export function movedInto<Column extends { set(from: Column): void }>(larger: Column, smaller: Column): Column {
  larger.set(smaller);
  return larger;
}
