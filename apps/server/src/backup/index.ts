export { Archive } from "./archive.ts";
export { checkBackup, tableText } from "./check.ts";
export { BackupFault } from "./fault.ts";
export { openBackupDoor } from "./live-copy.ts";
export { makeBackup } from "./make.ts";
export { restoreBackup } from "./restore.ts";
