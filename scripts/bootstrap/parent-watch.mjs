import { isAlive, processInfo } from "./process-info.mjs";

const WATCH_INTERVAL_MS = 500;
const SHELLS = ["sh", "dash", "bash", "ash", "busybox", "zsh"];

/**
 * Calls back once if the npm that started this process has ended. npm runs scripts through a shell, which may outlive a
 * killed npm, so the shell's parent is watched as well.
 */
export function onParentDeath(callback) {
  const parent = process.ppid;
  const between = processInfo(parent);
  const grandparent = between !== null && SHELLS.includes(between.name) ? between.parent : null;
  const isOrphaned = () => {
    // Windows keeps reporting a dead parent's id.
    if (process.ppid !== parent || (process.platform === "win32" && !isAlive(parent))) return true;
    if (grandparent === null) return false;
    const info = processInfo(parent);
    return info === null || info.parent !== grandparent;
  };
  const timer = setInterval(() => {
    if (!isOrphaned()) return;
    clearInterval(timer);
    callback();
  }, WATCH_INTERVAL_MS);
  timer.unref();
}
