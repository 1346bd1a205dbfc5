const WORDS = 4;
const FNV_PRIME = 0x01000193;
const FNV_BASIS = 0x811c9dc5;

/** A 32-bit hash of a text, as a seed for noise. */
export function hashText(text: string): number {
  let hash = FNV_BASIS;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash >>> 0;
}

/** A 32-bit hash of two numbers (the finaliser of MurmurHash3). */
function mix(seed: number, value: number): number {
  let hash = (seed ^ Math.imul(value, 0x9e3779b1)) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * Deterministic noise: the same seed and second give the same number. Mean 0, variance 1, within ±3.5: the sum of four
 * uniform numbers, which is close enough to a normal distribution for simulated prices.
 */
export function noiseAt(seed: number, second: number): number {
  let hash = mix(seed, second % 2 ** 32);
  let sum = 0;
  for (let word = 0; word < WORDS; word += 1) {
    hash = mix(hash, word + 1);
    sum += hash / 2 ** 32;
  }
  return (sum - WORDS / 2) * Math.sqrt(12 / WORDS);
}
