/** The quantile of ascending numbers, linearly interpolated (like DuckDB's quantile_cont); NaN for an empty list. */
export function quantile(ascending: ArrayLike<number>, fraction: number): number {
  const position = (ascending.length - 1) * fraction
  const low = ascending[Math.floor(position)] ?? Number.NaN
  const high = ascending[Math.ceil(position)] ?? Number.NaN
  return low + (high - low) * (position - Math.floor(position))
}
