import { ChevronLeft, ChevronRight } from "lucide-react";
import { groupDigits } from "../lib/format.ts";
import { IconButton } from "./button.tsx";

interface PagerProps {
  /** What is turned over, for the buttons' names. */
  readonly label: string;
  readonly offset: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onChange: (offset: number) => void;
}

/** Which rows are shown, with buttons for the previous and next ones. */
export function Pager({ label, offset, pageSize, total, onChange }: PagerProps) {
  if (total <= pageSize && offset === 0) return null;
  const first = Math.min(total, offset + 1);
  const last = Math.min(total, offset + pageSize);
  return (
    <nav aria-label={`Pages of ${label}`} className="flex items-center gap-1 text-xs text-muted">
      <IconButton
        size="small"
        label={`Previous rows of ${label}`}
        icon={<ChevronLeft size={14} />}
        disabled={offset === 0}
        onClick={() => onChange(Math.max(0, offset - pageSize))}
      />
      <span className="num">
        {groupDigits(String(first))} – {groupDigits(String(last))} of {groupDigits(String(total))}
      </span>
      <IconButton
        size="small"
        label={`Next rows of ${label}`}
        icon={<ChevronRight size={14} />}
        disabled={last >= total}
        onClick={() => onChange(offset + pageSize)}
      />
    </nav>
  );
}
