import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isAlive } from "./process-info.mjs";
import { Interrupted } from "./process-relay.mjs";

const RETRY_MS = 300;
const HEARTBEAT_MS = 2000;
// A live holder touches its lock every two seconds; the wide margin allows for a busy or sleeping machine.
const SILENT_MEANS_DEAD_MS = 300000;

const ownerFile = (lockFolder) => join(lockFolder, "owner.json");

const sleep = (duration_ms) => new Promise((resolve) => setTimeout(resolve, duration_ms));

/** The value, or undefined if the file does not exist (any more). */
function unlessGone(read) {
  try {
    return read();
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function describeOwner(token, childPid) {
  return JSON.stringify({ pid: process.pid, childPid, host: hostname(), token });
}

/** Creates the lock with its owner inside in one step: other processes never see a partly written folder. */
function tryAcquire(lock, token) {
  const prepared = `${lock}.${token}`;
  mkdirSync(prepared);
  writeFileSync(ownerFile(prepared), describeOwner(token, null));
  try {
    renameSync(prepared, lock);
    return true;
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    if (["ENOTEMPTY", "EEXIST", "EPERM", "EACCES"].includes(error.code)) return false;
    throw error;
  }
}

function readOwner(lock) {
  const text = unlessGone(() => readFileSync(ownerFile(lock), "utf8"));
  return text === undefined ? undefined : JSON.parse(text);
}

function isStale(lock, owner) {
  // A process id of another machine or container means nothing here; only the time of the last touch counts.
  const pids = [owner.pid, owner.childPid].filter((pid) => typeof pid === "number");
  if (owner.host === hostname() && !pids.some(isAlive)) return true;
  const stat = unlessGone(() => statSync(ownerFile(lock)));
  return stat !== undefined && Date.now() - stat.mtimeMs > SILENT_MEANS_DEAD_MS;
}

/** Records the running child: if its holder is killed, the lock stays valid while the child is alive. */
function noteChild(lock, token, childPid) {
  const next = `${ownerFile(lock)}.next`;
  writeFileSync(next, describeOwner(token, childPid));
  renameSync(next, ownerFile(lock));
}

/** Moves a dead holder's lock aside. If another waiter has taken it over before, its lock is restored. */
function removeStale(lock, owner, token) {
  const aside = `${lock}.stale.${token}`;
  unlessGone(() => renameSync(lock, aside));
  const moved = readOwner(aside);
  if (moved !== undefined && moved.token !== owner.token) {
    renameSync(aside, lock);
    return;
  }
  rmSync(aside, { recursive: true, force: true });
}

async function acquire(lock, token, { what, relay }) {
  let announced = false;
  while (!tryAcquire(lock, token)) {
    if (relay.interruptedBy !== null) throw new Interrupted(relay.interruptedBy);
    const owner = readOwner(lock);
    if (owner === undefined) continue;
    if (isStale(lock, owner)) {
      removeStale(lock, owner, token);
      continue;
    }
    if (!announced) console.log(`Another ${what} is under way (process ${owner.pid}); waiting for it to end …`);
    announced = true;
    await sleep(RETRY_MS);
  }
}

/**
 * Runs `work` while no other process of this checkout holds the lock of that name. Waiting processes print `what`; with
 * a `relay`, its children count as holders, and an interruption ends the wait.
 */
export async function withLock({ root, name, what, relay = { interruptedBy: null, onChild: null } }, work) {
  mkdirSync(join(root, ".runtime"), { recursive: true });
  const lock = join(root, ".runtime", `${name}.lock`);
  const token = `${process.pid}-${Date.now()}`;
  await acquire(lock, token, { what, relay });
  relay.onChild = (pid) => noteChild(lock, token, pid);
  const heartbeat = setInterval(() => {
    const now_s = Date.now() / 1000;
    unlessGone(() => utimesSync(ownerFile(lock), now_s, now_s));
  }, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    relay.onChild = null;
    rmSync(lock, { recursive: true, force: true });
  }
}

/** Runs `work` while no other bootstrap of this checkout installs anything. */
export function withInstallLock(root, relay, work) {
  return withLock({ root, name: "install", what: "install", relay }, work);
}
