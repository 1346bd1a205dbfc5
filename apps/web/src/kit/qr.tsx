import { useMemo } from "react";
import { encode } from "uqr";

/** A QR code of a link: dark on white in every theme. */
export function QrCode({
  text,
  label,
  size = 168,
}: {
  readonly text: string;
  readonly label: string;
  readonly size?: number;
}) {
  const { path, modules } = useMemo(() => {
    const { data, size: modules } = encode(text, { ecc: "M", border: 2 });
    const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
    return { path, modules };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules} ${modules}`}
      width={size}
      height={size}
      shapeRendering="crispEdges"
    >
      <rect width={modules} height={modules} fill="white" />
      <path d={path} fill="black" />
    </svg>
  );
}
