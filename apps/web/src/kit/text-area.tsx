import type { TextareaHTMLAttributes } from "react";
import { cx } from "../lib/cx.ts";

/** For pasted lists: nothing is corrected. */
export function TextArea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <textarea
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      {...rest}
      className={cx(
        "w-full min-w-0 resize-y rounded-md bg-raised px-2.5 py-2 text-sm text-text placeholder:text-faint aria-[invalid=true]:outline aria-[invalid=true]:outline-1 aria-[invalid=true]:outline-bad disabled:opacity-55",
        className,
      )}
    />
  );
}
