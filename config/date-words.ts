const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** A date as people write it, as precise as it is known: 18 August 2026, August 2026, 2026. */
export function dateWords(date: string): string {
  const [year, month, day] = date.split('-')
  if (month === undefined) return year!
  const name = MONTHS[Number(month) - 1]!
  return day === undefined ? `${name} ${year}` : `${Number(day)} ${name} ${year}`
}
