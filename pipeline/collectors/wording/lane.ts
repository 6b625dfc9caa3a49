import type { Lane } from '../../../config/domain.ts'
import { laneOf } from '../../../config/lanes.ts'

/** Splits a name such as "IAH Terminal A North PreCheck" into its place and its lane; lane null when it ends in none. */
export function laneInName(name: string): { place: string; lane: Lane | null } {
  const words = name.trim().split(/\s+/)
  for (const count of [2, 1]) {
    if (words.length <= count) continue
    const tail = words.slice(-count)
    // Lane words are compared without digits: in "Checkpoint 1 PreCheck" the 1 belongs to the place.
    if (count > 1 && /\d/.test(tail[0] ?? '')) continue
    const lane = laneOf(tail.join(' '))
    if (lane !== null && lane !== 'all') return { place: words.slice(0, -count).join(' '), lane }
  }
  return { place: words.join(' '), lane: null }
}
