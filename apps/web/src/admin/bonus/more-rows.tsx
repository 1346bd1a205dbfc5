import { Button } from "../../kit/button.tsx";
import { counted } from "../frame/words.ts";

interface MoreRowsProps {
  /** One of them: "line". */
  readonly of: string;
  readonly many?: string;
  readonly shown: number;
  readonly total: number | undefined;
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}

/** How many of all rows are in sight, and the way to those before them. */
export function MoreRows({ of, many, shown, total, query }: MoreRowsProps) {
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 px-4 py-2 text-sm text-muted">
      <span className="num">
        {shown} of {counted(total ?? shown, of, many)}
      </span>
      {query.hasNextPage && (
        <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older
        </Button>
      )}
    </div>
  );
}
