export { checkInvariants, type DumpOptions, dumpState } from "./dump.ts";
export { formatOf, readSnapshot, writeSnapshot } from "./snapshot.ts";
export { SnapshotFault, type SnapshotProblem } from "./snapshot-fault.ts";
export { stateHash } from "./state-hash.ts";
