/** The calendar month of an instant, in UTC: YYYY-MM. */
export const monthOf = (now: number) => new Date(now).toISOString().slice(0, 7)

/** The day of an instant, in UTC: YYYY-MM-DD. */
export const dayOf = (now: number) => new Date(now).toISOString().slice(0, 10)

/** First instant after the month of `now`, in UTC. */
export function monthEnd(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** Says how a call that took a place ended: whether it is billed, and to which endpoint. The first word counts. */
export type Settle = (billed: boolean, endpoint: string) => void
