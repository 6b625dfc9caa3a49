import type { Lane } from '../../config/domain.ts'
import { laneOfWord } from '../../config/lanes.ts'

/** Splits a name such as "IAH Terminal A North PreCheck" into its place and its lane; lane null when it ends in none. */
export function laneInName(name: string): { place: string; lane: Lane | null } {
  const words = name.trim().split(/\s+/)
  for (const count of [2, 1]) {
    if (words.length <= count) continue
    const last = words.slice(-count)
    // A number belongs to the place: "Checkpoint 5 General" is the standard lane of checkpoint 5.
    if (!/[a-z]/i.test(last[0] ?? '')) continue
    const lane = laneOfWord(last.join(' '))
    if (lane !== null && lane !== 'all') return { place: words.slice(0, -count).join(' '), lane }
  }
  return { place: words.join(' '), lane: null }
}
