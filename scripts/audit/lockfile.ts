/** What the lockfile states about every package, and which packages depend on it. */

export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  /** Bundled in its parent package, whose integrity covers it. */
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export interface Lockfile {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

const FOLDER = "node_modules/";

/** The package name of a path such as `node_modules/vite/node_modules/@scope/name`. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);

export const isInstalled = (path: string): boolean => path.includes(FOLDER);

/** The project's own packages: its root and its workspaces. */
export const ownPackages = ({ packages }: Lockfile): readonly string[] =>
  Object.keys(packages).filter((path) => !isInstalled(path));

/** Packages from outside the project. */
export const foreignPackages = ({ packages }: Lockfile): readonly (readonly [string, LockedPackage])[] =>
  Object.entries(packages).filter(([path, { link }]) => isInstalled(path) && link !== true);

/** The path at which a package finds another: in its own folder, else in those above it. */
function findFrom({ packages }: Lockfile, path: string, name: string): string | undefined {
  for (let folder = path; ; ) {
    const place = folder === "" ? `${FOLDER}${name}` : `${folder}/${FOLDER}${name}`;
    if (packages[place] !== undefined) return place;
    if (folder === "") return undefined;
    const above = folder.lastIndexOf(`/${FOLDER}`);
    if (above === -1) folder = "";
    else folder = folder.slice(0, above);
  }
}

/** Links lead to the workspace of that name. */
function targetOf({ packages }: Lockfile, place: string): string {
  const { link, resolved } = packages[place] ?? {};
  return link === true && resolved !== undefined ? resolved : place;
}

function needsOf({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: LockedPackage) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true);
  return [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers];
}

/** The paths of all packages that a workspace needs at run time, without itself and other workspaces. */
export function neededBy(lockfile: Lockfile, workspace: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const waiting = [workspace];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const name of needsOf(lockfile.packages[path] ?? {})) {
      const place = findFrom(lockfile, path, name);
      if (place === undefined) continue;
      const target = targetOf(lockfile, place);
      if (seen.has(target)) continue;
      seen.add(target);
      waiting.push(target);
    }
  }
  return new Set([...seen].filter(isInstalled));
}
