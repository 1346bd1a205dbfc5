/** A part of the project: a folder (or file) whose production code has to obey the table below. */
export interface Module {
  /** From the project's root, without a trailing slash. */
  readonly path: string;
  /** The only file that other modules may import. Absent if the module is a library of small files. */
  readonly publicFile?: string;
}

const server = (name: string): Module => ({
  path: `apps/server/src/${name}`,
  publicFile: `apps/server/src/${name}/index.ts`,
});
const library = (path: string): Module => ({ path });
const packaged = (name: string): Module => ({ path: `packages/${name}/src` });

/**
 * The floors, from the lowest up. Production code imports only modules of a lower floor, and of a module with a public
 * file only that file. Modules of one floor do not import each other: the composition root connects them.
 */
export const FLOORS: readonly (readonly Module[])[] = [
  [packaged("money"), packaged("engine")],
  [packaged("engine-proof"), packaged("api"), library("contracts")],
  [library("apps/server/src/kernel")],
  [library("apps/server/src/settings")],
  [server("identity"), server("chain")],
  [server("exchange")],
  [server("rebuild")],
  [server("wallet"), server("backup")],
  [server("earn"), server("referral"), server("points")],
  [server("broker"), server("bonus")],
  [server("dev")],
  [library("apps/server/src/compose"), library("apps/web/src")],
  [library("apps/server/src/main.ts")],
];

/** The names by which other modules import a package's files. */
export const PACKAGE_PATHS: Readonly<Record<string, string>> = {
  "@bourse/money": "packages/money/src",
  "@bourse/engine": "packages/engine/src",
  "@bourse/engine-proof": "packages/engine-proof/src",
  "@bourse/api": "packages/api/src",
  "@bourse/contracts": "contracts",
};

/** Tests and their support files may import any file; production code imports none of them. */
const TEST_FILE =
  /^\/packages\/engine-proof\/|\.test\.tsx?$|\/testing\/|\/testing[^/]*\.ts$|\/tests?\/|\/test-templates\.ts$/;

export const isProduction = (path: string): boolean => !TEST_FILE.test(`/${path}`);
