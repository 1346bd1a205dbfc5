import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { shortHash } from "../lib/format.ts";
import { IconButton } from "./button.tsx";

const SHOWN_MS = 1500;

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <IconButton
      size="small"
      label={isCopied ? "Copied" : label}
      icon={isCopied ? <Check size={13} /> : <Copy size={13} />}
      onClick={() => void copy()}
    />
  );
}

interface HashProps {
  readonly value: string | null | undefined;
  /** What it is, for the copy button's name. */
  readonly of?: string;
  readonly isWhole?: boolean;
}

/** An address, id or hash: shortened, whole on hover and on copy. */
export function Hash({ value, of = "address", isWhole = false }: HashProps) {
  if (value === null || value === undefined || value === "") return <span className="text-faint">–</span>;
  return (
    <span className="inline-flex min-w-0 items-center gap-0.5">
      <code className="truncate font-mono text-xs" title={value}>
        {isWhole ? value : shortHash(value)}
      </code>
      <CopyButton text={value} label={`Copy ${of}`} />
    </span>
  );
}
