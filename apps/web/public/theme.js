// Before the first paint, so that a light page never flashes dark. The rest of the settings' life is in src/app/appearance.ts.
(() => {
  const root = document.documentElement;
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem("bourse.appearance") || "{}");
  } catch {
    // A browser that keeps nothing, or something unreadable: the defaults hold.
  }
  const prefersLight = matchMedia("(prefers-color-scheme: light)").matches;
  const theme = kept.theme === "light" || kept.theme === "dark" ? kept.theme : prefersLight ? "light" : "dark";
  root.dataset.theme = theme;
  if (typeof kept.colors === "string") root.dataset.colors = kept.colors;
})();
