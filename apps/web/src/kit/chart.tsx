import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useState } from "react";
import { formatCompact, formatDecimal } from "../lib/format.ts";
import { Button } from "./button.tsx";
import { nearestIndex, type Point, scaleOf } from "./chart-scale.ts";
import { Table } from "./table.tsx";

export type { Point };

interface ChartProps {
  readonly label: string;
  readonly points: readonly Point[];
  readonly kind: "area" | "bars";
  readonly unit?: string;
  readonly height?: number;
  readonly decimals?: number;
  /** Titles of the table behind the chart. */
  readonly axis?: string;
  readonly empty?: ReactNode;
}

const WIDTH = 720;
const LEFT = 56;
const BOTTOM = 20;
const TOP = 8;

/** A line with its area, or bars. A crosshair names the point; a table shows the same figures. */
export function Chart({
  label,
  points,
  kind,
  unit = "USDT",
  height = 200,
  decimals = 2,
  axis = "Day",
  empty,
}: ChartProps) {
  const [isTable, setTable] = useState(false);
  const [at, setAt] = useState<number>();
  const gradientId = useId();
  if (points.length === 0) return empty ?? <p className="py-8 text-center text-sm text-muted">Nothing to draw yet.</p>;
  const values = points.map(({ value }) => Number(value));
  const scale = scaleOf(values, kind === "bars");
  const inner = height - BOTTOM - TOP;
  const slot = (WIDTH - LEFT) / points.length;
  const xOf = (index: number) =>
    kind === "bars" || points.length === 1
      ? LEFT + slot * (index + 0.5)
      : LEFT + (index / (points.length - 1)) * (WIDTH - LEFT - 4);
  const yOf = (value: number) => TOP + inner * (1 - (value - scale.min) / (scale.max - scale.min));
  const line = values.map((value, index) => `${index === 0 ? "M" : "L"}${xOf(index)} ${yOf(value)}`).join("");
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    setAt(nearestIndex((x - LEFT) / (WIDTH - LEFT), points.length));
  };
  const key = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    setAt((now) => Math.min(points.length - 1, Math.max(0, (now ?? points.length - 1) + step)));
  };
  const shown = points[at ?? points.length - 1];
  const format = (value: string) => `${formatDecimal(value, { decimals })} ${unit}`;
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <figcaption className="flex items-baseline justify-between gap-2 text-xs text-muted">
        <span>
          {shown?.label} <output className="num font-medium text-text">{shown && format(shown.value)}</output>
        </span>
        <Button size="small" look="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? "Chart" : "Table"}
        </Button>
      </figcaption>
      {isTable ? (
        <div className="overflow-auto" style={{ height }}>
          <Table
            label={label}
            isDense
            rows={points}
            keyOf={(point) => point.label}
            columns={[
              { key: "label", title: axis, cell: (point) => point.label },
              { key: "value", title: unit, isNumber: true, cell: (point) => formatDecimal(point.value, { decimals }) },
            ]}
          />
        </div>
      ) : (
        <svg
          role="img"
          aria-label={`${label}. Arrow keys move the crosshair; the Table button shows all figures.`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it has a crosshair that keys move
          tabIndex={0}
          viewBox={`0 0 ${WIDTH} ${height}`}
          preserveAspectRatio="none"
          className="w-full touch-pan-y"
          style={{ height }}
          onPointerMove={move}
          onPointerLeave={() => setAt(undefined)}
          onKeyDown={key}
        >
          <defs>
            <linearGradient id={gradientId} x1="0" x2="0" y1="0" y2="1">
              <stop offset="0" stopColor="var(--accent)" stopOpacity="0.28" />
              <stop offset="1" stopColor="var(--accent)" stopOpacity="0" />
            </linearGradient>
          </defs>
          {scale.ticks.map((tick) => (
            <line
              key={tick}
              x1={LEFT}
              x2={WIDTH}
              y1={yOf(tick)}
              y2={yOf(tick)}
              stroke="var(--line)"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {kind === "area" ? (
            <>
              <path
                d={`${line}L${xOf(points.length - 1)} ${TOP + inner}L${xOf(0)} ${TOP + inner}Z`}
                fill={`url(#${gradientId})`}
              />
              <path d={line} fill="none" stroke="var(--accent)" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
            </>
          ) : (
            values.map((value, index) => {
              const top = Math.min(yOf(value), yOf(0));
              return (
                <rect
                  key={points[index]?.label}
                  x={xOf(index) - slot * 0.35}
                  width={slot * 0.7}
                  y={top}
                  height={Math.max(Math.abs(yOf(value) - yOf(0)), value === 0 ? 0 : 1)}
                  fill={index === at ? "var(--accent)" : "var(--accent-solid)"}
                />
              );
            })
          )}
          {at !== undefined && (
            <line
              x1={xOf(at)}
              x2={xOf(at)}
              y1={TOP}
              y2={TOP + inner}
              stroke="var(--muted)"
              strokeDasharray="3 3"
              vectorEffect="non-scaling-stroke"
            />
          )}
        </svg>
      )}
      {!isTable && <Axis points={points} ticks={scale.ticks} height={height} />}
    </figure>
  );
}

/** The axis labels as text of the page, because text inside the stretched drawing would be stretched too. */
function Axis({
  points,
  ticks,
  height,
}: {
  readonly points: readonly Point[];
  readonly ticks: readonly number[];
  readonly height: number;
}) {
  const inner = height - BOTTOM - TOP;
  return (
    <div aria-hidden="true" className="pointer-events-none relative text-[11px] text-faint" style={{ height: 0 }}>
      {ticks.map((tick, index) => (
        <span
          key={tick}
          className="num absolute left-0 -translate-y-1/2"
          style={{ top: -height + TOP + inner * (1 - index / (ticks.length - 1)) - 4 }}
        >
          {formatCompact(String(tick))}
        </span>
      ))}
      <div className="absolute right-0 flex justify-between" style={{ top: -BOTTOM, left: `${(LEFT / WIDTH) * 100}%` }}>
        <span>{points[0]?.label}</span>
        {points.length > 1 && <span>{points.at(-1)?.label}</span>}
      </div>
    </div>
  );
}
