export function Ticket({ symbol }: { readonly symbol: string }) {
  return <section aria-label={`Order for ${symbol}`} />;
}
