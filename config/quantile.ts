/** A quantile of ascending numbers by linear interpolation between neighbours (as quantile_cont does); NaN of none. */
export function quantile(ascending: ArrayLike<number>, fraction: number): number {
  const place = (ascending.length - 1) * fraction
  const low = ascending[Math.floor(place)] ?? Number.NaN
  const high = ascending[Math.ceil(place)] ?? Number.NaN
  return low + (high - low) * (place - Math.floor(place))
}
