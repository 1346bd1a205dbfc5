import { readFileSync } from "node:fs";

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but may not be signalled.
    return error.code === "EPERM";
  }
}

/** Name and parent of a process; null if the system does not show them or the process has ended. */
export function processInfo(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(error.code)) return null;
    throw error;
  }
  // "1234 (name) S 1233 …"; the name itself may contain spaces and parentheses.
  const match = /^\d+ \((.*)\) \S (\d+) /s.exec(text);
  return match === null ? null : { name: match[1], parent: Number(match[2]) };
}
