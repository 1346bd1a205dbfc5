import { readFileSync } from "node:fs";

/** `/proc` counts in hundredths of a second on every Linux. */
const TICK_MS = 10;
/** Where, after the program's name, the times of the processes waited for begin: user, then system. */
const WAITED_FOR_FIELD = 13;

/** Linux alone tells a process what the processes that it has started and waited for have used. */
function waitedFor_ms(): number {
  if (process.platform !== "linux") return 0;
  const line = readFileSync("/proc/self/stat", "utf8");
  // The program's name may itself contain spaces and brackets.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[WAITED_FOR_FIELD]) + Number(fields[WAITED_FOR_FIELD + 1])) * TICK_MS;
}

/** Time of a core that this process has used, with all its threads and the processes it has waited for. */
export function usedCpu_ms(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + waitedFor_ms();
}
