import { Pager as OffsetPager } from "../../kit/pager.tsx";

interface PagerProps {
  /** What is paged: "payees". */
  readonly of: string;
  /** From 1 on, as the interface counts pages. */
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

/** For lists that the interface hands out by pages. */
export function Pager({ of, page, perPage, total, onPage }: PagerProps) {
  return (
    <div className="px-3 pb-2 empty:hidden">
      <OffsetPager
        label={of}
        offset={(page - 1) * perPage}
        pageSize={perPage}
        total={total}
        onChange={(offset) => onPage(offset / perPage + 1)}
      />
    </div>
  );
}
