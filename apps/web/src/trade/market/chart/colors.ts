import type { ChartLine } from "../../chart-line.ts";

/** The tokens that the chart draws with, as they are now. */
export interface ChartColors {
  readonly panel: string;
  readonly ground: string;
  readonly line: string;
  readonly muted: string;
  readonly faint: string;
  readonly raised: string;
  readonly tones: Readonly<Record<ChartLine["tone"], string>>;
}

export function readColors(): ChartColors {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    panel: token("panel"),
    ground: token("ground"),
    line: token("line"),
    muted: token("muted"),
    faint: token("faint"),
    raised: token("raised"),
    tones: { up: token("up"), down: token("down"), warn: token("warn"), accent: token("accent") },
  };
}

/** Tokens are written as six digits; two more make them see-through. */
export const translucent = (color: string, alpha: string): string =>
  /^#[0-9a-f]{6}$/i.test(color) ? `${color}${alpha}` : color;

/** Theme and colour pair are attributes of the page. */
export function onColorsChanged(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "data-colors"] });
  return () => observer.disconnect();
}
