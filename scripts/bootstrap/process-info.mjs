import { readFileSync } from "node:fs";

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not ours to signal, but there.
    return error.code === "EPERM";
  }
}

/** Name and parent of a process; null where the system does not show them, and when it is gone. */
export function processInfo(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(error.code)) return null;
    throw error;
  }
  // "1234 (name) S 1233 …"; the name itself may hold spaces and parentheses.
  const match = /^\d+ \((.*)\) \S (\d+) /s.exec(text);
  return match === null ? null : { name: match[1], parent: Number(match[2]) };
}
