import type { Lane } from '../../../config/domain.ts'
import { type Queue, queue } from './queue.ts'

/** Local hours, as in `Queue`. */
export type Hours = [opens: number, closes: number]

/** The lanes of one checkpoint, each with the word that its site has for it. */
export function lanes(
  place: { iata: string; terminal: string; checkpoint: string; may_hide?: boolean },
  words: Partial<Record<Lane, string>>,
  scale: number,
  [opens, closes]: Hours,
): Queue[] {
  return (Object.entries(words) as [Lane, string][]).map(([lane, word]) =>
    queue({ ...place, lane, scale, opens, closes, fields: { lane: word } }),
  )
}
