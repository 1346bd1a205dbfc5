/** A part of the project: a folder (or file) whose production code is held to the table below. */
export interface Room {
  /** From the project's root, without a slash at the end. */
  readonly path: string;
  /** The only file that other rooms may import. Absent where the room is a library of small files for everybody. */
  readonly door?: string;
}

const server = (name: string): Room => ({ path: `apps/server/src/${name}`, door: `apps/server/src/${name}/index.ts` });
const library = (path: string): Room => ({ path });
const packaged = (name: string): Room => ({ path: `packages/${name}/src` });

/**
 * The floors of the house, from the ground up. Production code imports only what stands on a lower floor, and of a room
 * with a door only that door. Rooms of one floor do not know each other: the composition root makes them meet.
 */
export const FLOORS: readonly (readonly Room[])[] = [
  [packaged("money"), packaged("engine")],
  [packaged("engine-proof"), packaged("api"), library("contracts")],
  [library("apps/server/src/kernel")],
  [library("apps/server/src/settings")],
  [server("identity"), server("chain")],
  [server("exchange")],
  [server("wallet"), server("backup")],
  [server("earn"), server("referral"), server("points")],
  [server("broker"), server("bonus")],
  [server("dev")],
  [library("apps/server/src/compose"), library("apps/web/src")],
  [library("apps/server/src/main.ts")],
];

/** Names under which a package's files are imported from other rooms. */
export const PACKAGE_PATHS: Readonly<Record<string, string>> = {
  "@bourse/money": "packages/money/src",
  "@bourse/engine": "packages/engine/src",
  "@bourse/engine-proof": "packages/engine-proof/src",
  "@bourse/api": "packages/api/src",
  "@bourse/contracts": "contracts",
};

/** Tests and what only tests use may look into any room; production code imports none of it. */
const TEST_FILE =
  /^\/packages\/engine-proof\/|\.test\.tsx?$|\/testing\/|\/testing[^/]*\.ts$|\/tests?\/|\/test-templates\.ts$/;

export const isProduction = (path: string): boolean => !TEST_FILE.test(`/${path}`);
