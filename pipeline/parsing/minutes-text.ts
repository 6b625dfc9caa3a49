import type { QueueStatus } from '../../config/domain.ts'

/** What a posted text says of a wait, in minutes. */
export interface PostedWait {
  wait_minutes: number | null
  wait_minutes_low: number | null
  wait_minutes_high: number | null
  status: QueueStatus
  /** False when we do not know these words: the text is kept, nothing is read into it. */
  understood: boolean
}

const SAYS_NOTHING: PostedWait = {
  wait_minutes: null,
  wait_minutes_low: null,
  wait_minutes_high: null,
  status: 'unknown',
  understood: true,
}

const open = (wait: Partial<PostedWait>): PostedWait => ({ ...SAYS_NOTHING, status: 'open', ...wait })

const NUMBER = String.raw`(\d+(?:\.\d+)?)`
const UNIT = String.raw`\s*(?:min(?:ute)?s?\.?)?`
const UPPER = new RegExp(`^(?:<|less than|under|up to)\\s*(${NUMBER}|an?|one)${UNIT}$`)
const LOWER = new RegExp(`^(?:>|more than|over|at least)\\s*${NUMBER}${UNIT}$`)
const LOWER_PLUS = new RegExp(`^${NUMBER}\\s*\\+${UNIT}$`)
const RANGE = new RegExp(`^${NUMBER}${UNIT}\\s*(?:-|–|—|to)\\s*${NUMBER}${UNIT}$`)
const PLAIN = new RegExp(`^${NUMBER}${UNIT}$`)

/**
 * Reads the wait texts of the sources (words seen in 2022 to 2026). A range keeps its ends and gets no invented middle;
 * "> 20" has no upper end. "X" is ATL's closed checkpoint, "No Wait" is a real zero.
 */
export function readMinutesText(posted: string): PostedWait {
  const text = posted.replace(/\s+/g, ' ').trim().toLowerCase()
  if (/^(x|closed|cl|suspended|opens\b.*)$/.test(text)) return { ...SAYS_NOTHING, status: 'closed' }
  if (/^(|-|–|—|n\/a|not available|unavailable)$/.test(text)) return SAYS_NOTHING
  if (/^no wait( time)?$/.test(text)) return open({ wait_minutes: 0 })
  const upper = text.match(UPPER)
  if (upper) return open({ wait_minutes_low: 0, wait_minutes_high: upper[2] === undefined ? 1 : Number(upper[2]) })
  const lower = text.match(LOWER) ?? text.match(LOWER_PLUS)
  if (lower) return open({ wait_minutes_low: Number(lower[1]) })
  const range = text.match(RANGE)
  if (range && Number(range[1]) <= Number(range[2]))
    return open({ wait_minutes_low: Number(range[1]), wait_minutes_high: Number(range[2]) })
  const plain = text.match(PLAIN)
  if (plain) return open({ wait_minutes: Number(plain[1]) })
  return { ...SAYS_NOTHING, understood: false }
}
