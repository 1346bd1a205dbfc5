import type { Import } from "./imports.ts";
import { FLOORS, isProduction, type Room } from "./rules.ts";

interface Placed {
  readonly room: Room;
  readonly floor: number;
}

const rooms: readonly Placed[] = FLOORS.flatMap((floor, index) => floor.map((room) => ({ room, floor: index })));

const roomOf = (path: string): Placed | undefined =>
  rooms.find(({ room }) => path === room.path || path.startsWith(`${room.path}/`));

function problemOf({ from, to }: Import): string | undefined {
  const here = roomOf(from);
  const there = roomOf(to);
  if (here === undefined) return undefined;
  if (there === undefined) return `${from} imports ${to}, which belongs to no room`;
  if (!isProduction(to)) return `${from} imports ${to}, which is for tests`;
  const { door } = there.room;
  if (here.room === there.room) {
    return to === door ? `${from} imports ${to}: inside a room one imports the file itself, not the door` : undefined;
  }
  if (there.floor > here.floor) return `${from} imports ${to}, which stands on a higher floor`;
  if (there.floor === here.floor) return `${from} imports ${to}, which stands on the same floor in another room`;
  if (door !== undefined && to !== door) return `${from} imports ${to} past the door ${door}`;
  return undefined;
}

/** One line for each group of files that import each other in a circle, types included. */
function circlesIn(imports: readonly Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file);
    if (start !== -1) {
      circles.push(`a circle: ${[...way.slice(start), file].join(" → ")}`);
      return;
    }
    if (done.has(file)) return;
    for (const to of next.get(file) ?? []) walk(to, [...way, file]);
    done.add(file);
  };
  for (const file of next.keys()) walk(file, []);
  return circles;
}

/** What is wrong with these imports, a line each. */
export function judgeImports(imports: readonly Import[]): string[] {
  const problems = imports.map(problemOf).filter((problem) => problem !== undefined);
  return [...new Set(problems), ...circlesIn(imports)];
}
