/** Where the terminals and lounges of an airport are known from, and what is known of them. */

/** What the map alone names; `day` (YYYY-MM-DD): when it was read. */
export const fromMapText = (day: string | null = null): string =>
  `from the map${day === null ? '' : ` on ${day}`}, not checked`

/** Where a terminal is named that no page of reference facts has. */
export const namedByText = (sources: readonly string[]): string =>
  sources.includes('feed') ? 'named by the wait feed' : fromMapText()

/** Nothing on record is no fact: `No lounge is known here for JFK; that does not mean that there is none.` */
export const noneKnownText = (kind: 'lounge' | 'terminal', airport: string): string =>
  `No ${kind} is known here for ${airport}; that does not mean that there is none.`

/** The hours of a lounge: `daily 06:00-23:00, open now by these hours`, `hours not known`. */
export function loungeHoursText({
  hours,
  open_by_hours,
}: {
  hours: string | null
  open_by_hours: boolean | null
}): string {
  if (hours === null) return 'hours not known'
  return open_by_hours === null ? hours : `${hours}, ${open_by_hours ? 'open' : 'closed'} now by these hours`
}

/** How many of `total` lounges are open: `2 open now by listed hours, 1 closed, hours of 5 not known`. */
export function openLoungesText(counts: { total: number; open_now: number; hours_unknown: number }): string {
  const { total, open_now, hours_unknown } = counts
  const closed = total - open_now - hours_unknown
  const parts = [
    open_now > 0 && `${open_now === total ? '' : `${open_now} `}open now by listed hours`,
    closed > 0 && `${closed === total ? '' : `${closed} `}closed${open_now > 0 ? '' : ' now by listed hours'}`,
    hours_unknown > 0 && (hours_unknown === total ? 'hours not known' : `hours of ${hours_unknown} not known`),
  ]
  return parts.filter(Boolean).join(', ')
}
