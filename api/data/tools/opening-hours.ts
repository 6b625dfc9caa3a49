const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const CLOCKS = /(\d{2}):(\d{2})\s*-\s*(\d{2}):(\d{2})/g

/**
 * Whether listed hours such as `daily 06:00-23:00` or `Mon-Fri 08:00-21:00; Sat-Sun 10:00-19:00` cover a local time.
 * `weekday`: 1 Monday to 7 Sunday; `minute`: of the local day. Hours that end at or before their start run past midnight.
 * Null when the hours are written in another way.
 */
export function isOpenByHours(hours: string, weekday: number, minute: number): boolean | null {
  if (/^(daily )?(24 ?h|24 hours|24\/7|00:00-24:00)$/i.test(hours.trim())) return true
  const yesterday = ((weekday + 5) % 7) + 1
  const today = spansOn(hours, weekday)
  const before = spansOn(hours, yesterday)
  if (today === null || before === null) return null
  return (
    today.some(([from, to]) => minute >= from && (to <= from || minute < to)) ||
    before.some(([from, to]) => to <= from && minute < to)
  )
}

/** The opening hours of a weekday in minutes; empty when it is closed, null when a part cannot be read. */
function spansOn(hours: string, weekday: number): [number, number][] | null {
  const spans: [number, number][] = []
  for (const part of hours.split(';')) {
    const [, days = '', clocks = ''] = /^\s*([a-z,\s-]+?)\s+([\d:,\s-]+)$/i.exec(part) ?? []
    const onDays = weekdaysOf(days)
    const found = [...clocks.matchAll(CLOCKS)]
    if (onDays === null || found.length === 0 || clocks.replace(CLOCKS, '').replace(/[,\s]/g, '') !== '') return null
    if (!onDays.has(weekday)) continue
    for (const [, h1, m1, h2, m2] of found) spans.push([Number(h1) * 60 + Number(m1), Number(h2) * 60 + Number(m2)])
  }
  return spans
}

/** `daily`, `Mon-Fri`, `Sat, Sun` as weekdays; null when it is something else. */
function weekdaysOf(text: string): Set<number> | null {
  if (/^daily$/i.test(text)) return new Set([1, 2, 3, 4, 5, 6, 7])
  const days = new Set<number>()
  for (const part of text.toLowerCase().split(',')) {
    const [first = -1, last = first] = part.split('-').map((name) => DAYS.indexOf(name.trim().slice(0, 3)))
    if (first < 0 || last < 0) return null
    for (let day = first; ; day = (day + 1) % 7) {
      days.add(day + 1)
      if (day === last) break
    }
  }
  return days
}
