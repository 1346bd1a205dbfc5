import { delimiter } from "node:path";

/** The name of the PATH variable as this environment spells it (Windows says "Path"). */
function pathKey(env) {
  return Object.keys(env).find((key) => key.toUpperCase() === "PATH") || "PATH";
}

export function pathFolders(env) {
  return (env[pathKey(env)] || "").split(delimiter).filter((folder) => folder !== "");
}

export function withFirstOnPath(env, folder) {
  const others = pathFolders(env).filter((entry) => entry !== folder);
  return { ...env, [pathKey(env)]: [folder, ...others].join(delimiter) };
}

// npm passes every setting of the outer call to its scripts as npm_config_*. These would change where the inner install
// puts packages; the rest (registry, proxy, certificates, cache, ignore-scripts …) is the user's choice and stays.
const MISLEADING_SETTINGS = [
  "also",
  "cpu",
  "dev",
  "dry_run",
  "global",
  "global_style",
  "if_present",
  "include",
  "include_workspace_root",
  "install_links",
  "install_strategy",
  "json",
  "legacy_bundling",
  "libc",
  "local_prefix",
  "location",
  "omit",
  "only",
  "optional",
  "os",
  "package_lock",
  "package_lock_only",
  "prefix",
  "production",
  "save",
  "workspace",
  "workspaces",
];

/** The environment for an inner npm: the caller's, without the settings of the outer npm call. */
export function environmentForNpm(env, runtimeFolder) {
  const kept = {};
  for (const key of Object.keys(env)) {
    const setting = /^npm_config_(.*)$/i.exec(key);
    if (setting && MISLEADING_SETTINGS.includes(setting[1].toLowerCase().replace(/-/g, "_"))) continue;
    if (/^npm_(lifecycle|package|command)/i.test(key) || key === "NODE_ENV") continue;
    kept[key] = env[key];
  }
  return withFirstOnPath(kept, runtimeFolder);
}
