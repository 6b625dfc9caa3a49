import type { Basis, QueueKind } from '../../../config/domain.ts'

interface Wait {
  basis: Basis | null
  age_seconds: number | null
  source: string | null
  low?: number | null
  high?: number | null
  probability?: number | null
}

/** `under a minute`, `3 min`, `2 h`: how old something is. */
export function ageWords(age_seconds: number): string {
  if (age_seconds < 60) return 'under a minute'
  const minutes = Math.round(age_seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

/** What a figure rests on, as a traveller is to be told it: its basis, and its age or that it was not observed. */
export function basisWords({ basis, age_seconds, source, low = null, high = null, probability = null }: Wait): string {
  const age = age_seconds === null ? 'not an observation' : `${ageWords(age_seconds)} ago`
  const range = low === null || high === null ? '' : `, ${low} to ${high} min in 80 %`
  const sure = probability === null ? '' : `, ${Math.floor(probability * 100)} % within 5 min`
  return `${basis}, ${age}${range}${sure}, source ${source}`
}

/** The date of a fact and what is to be doubted of it. */
export function datedWords({ as_of, caution }: { as_of: string | null; caution: string | null }): string {
  return [as_of === null ? null : `as of ${as_of}`, caution].filter(Boolean).join('; ')
}

/** `1 minute`, `2 minutes`. */
export const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

const QUEUES: Partial<Record<QueueKind, string>> = { checkin: 'check-in', ees_kiosk: 'Entry/Exit System kiosk' }
/** A queue in words. */
export const queueWords = (queue: QueueKind) => QUEUES[queue] ?? queue
