import { createKeptStore } from "../lib/store.ts";

export type Theme = "system" | "dark" | "light";
export type Colors = "green-up" | "red-up" | "colour-blind";

export interface Appearance {
  readonly theme: Theme;
  readonly colors: Colors;
}

const THEMES: readonly string[] = ["system", "dark", "light"] satisfies Theme[];
const COLORS: readonly string[] = ["green-up", "red-up", "colour-blind"] satisfies Colors[];

/** Also read by public/theme.js before the first paint. */
export const appearance = createKeptStore("bourse.appearance", (kept): Appearance => {
  const { theme, colors } = (kept ?? {}) as Partial<Record<keyof Appearance, unknown>>;
  return {
    theme: THEMES.includes(String(theme)) ? (theme as Theme) : "system",
    colors: COLORS.includes(String(colors)) ? (colors as Colors) : "green-up",
  };
});

/** Applies the chosen appearance to the page's attributes, from which all colours follow. */
export function applyAppearance(): void {
  const prefersLight = matchMedia("(prefers-color-scheme: light)");
  const apply = () => {
    const { theme, colors } = appearance.get();
    const shown = theme === "system" ? (prefersLight.matches ? "light" : "dark") : theme;
    document.documentElement.dataset["theme"] = shown;
    document.documentElement.dataset["colors"] = colors;
  };
  appearance.subscribe(apply);
  prefersLight.addEventListener("change", apply);
  apply();
}
