/** The bands in which Canada's screening authority publishes waits: text, least and most minutes. */
const BANDS: [text: string, low: number, high: number | null][] = [
  ['Less than 5 min', 0, 5],
  ['5-10 min', 5, 10],
  ['10-15 min', 10, 15],
  ['15-20 min', 15, 20],
  ['20-25 min', 20, 25],
  ['25-30 min', 25, 30],
  ['More than 30 min', 30, null],
]

/** The band of a wait in minutes. */
export function bandOf(minutes: number): { text: string; low: number; high: number | null } {
  const [text, low, high] = BANDS.find((band) => band[2] === null || minutes < band[2]) ?? BANDS[0]!
  return { text, low, high }
}
