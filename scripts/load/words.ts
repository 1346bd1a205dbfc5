const MIB = 1_048_576;

export const count = (value: number): string => Math.round(value).toLocaleString("en-US");

export const mib = (bytes: number): string => `${count(bytes / MIB)} MiB`;

export function ms(value_ms: number): string {
  if (Number.isNaN(value_ms)) return "-";
  return value_ms < 100 ? `${value_ms.toFixed(1)} ms` : `${count(value_ms)} ms`;
}

export const cores = (value: number): string => value.toFixed(2);
