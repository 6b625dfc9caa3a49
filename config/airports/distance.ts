/** Great-circle distance in kilometres. */
export function distanceKm(latA: number, lonA: number, latB: number, lonB: number): number {
  const rad = Math.PI / 180
  const arc =
    Math.sin(((latB - latA) * rad) / 2) ** 2 +
    Math.cos(latA * rad) * Math.cos(latB * rad) * Math.sin(((lonB - lonA) * rad) / 2) ** 2
  return 12_742 * Math.asin(Math.sqrt(arc))
}
