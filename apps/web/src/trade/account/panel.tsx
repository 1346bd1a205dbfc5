export function AccountPanel({ symbol }: { readonly symbol: string }) {
  return <section aria-label={`Your account on ${symbol}`} />;
}
