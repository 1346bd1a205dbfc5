import type { Import } from "./imports.ts";
import { FLOORS, isProduction, type Module } from "./rules.ts";

interface Placed {
  readonly module: Module;
  readonly floor: number;
}

const modules: readonly Placed[] = FLOORS.flatMap((floor, index) => floor.map((module) => ({ module, floor: index })));

const moduleOf = (path: string): Placed | undefined =>
  modules.find(({ module }) => path === module.path || path.startsWith(`${module.path}/`));

function problemOf({ from, to }: Import): string | undefined {
  const here = moduleOf(from);
  const there = moduleOf(to);
  if (here === undefined) return undefined;
  if (there === undefined) return `${from} imports ${to}, which belongs to no module`;
  if (!isProduction(to)) return `${from} imports ${to}, which is for tests`;
  const { publicFile } = there.module;
  if (here.module === there.module) {
    return to === publicFile ? `${from} imports ${to}: inside a module files import each other directly` : undefined;
  }
  if (there.floor > here.floor) return `${from} imports ${to}, which is on a higher floor`;
  if (there.floor === here.floor) return `${from} imports ${to}, which is another module of the same floor`;
  if (publicFile !== undefined && to !== publicFile) return `${from} imports ${to} instead of ${publicFile}`;
  return undefined;
}

/** One line for each group of files that import each other in a cycle, including type imports. */
function cyclesIn(imports: readonly Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file);
    if (start !== -1) {
      cycles.push(`a cycle: ${[...way.slice(start), file].join(" → ")}`);
      return;
    }
    if (done.has(file)) return;
    for (const to of next.get(file) ?? []) walk(to, [...way, file]);
    done.add(file);
  };
  for (const file of next.keys()) walk(file, []);
  return cycles;
}

/** The violations in these imports, one line each. */
export function judgeImports(imports: readonly Import[]): string[] {
  const problems = imports.map(problemOf).filter((problem) => problem !== undefined);
  return [...new Set(problems), ...cyclesIn(imports)];
}
