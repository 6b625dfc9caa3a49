import { laneOfWord } from '../../config/lanes.ts'
import type { Lane } from '../../config/vocabulary.ts'
import type { NoticeReporter } from './notices.ts'

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

/** The lane that a source's word means; null with a notice when the word is unknown, so that its row is left out. */
export function knownLane(words: string, report: NoticeReporter): Lane | null {
  return laneOfWord(words) ?? report.warning('lane_unknown', 'The lane is unknown; its row is left out.', words)
}

/**
 * The lanes of a wait that several lanes share: `all` when none is named or standard is one of them, otherwise each
 * lane by itself.
 */
export function lanesOfSharedWait(lanes: ReadonlySet<Lane>): Lane[] {
  if (lanes.size === 0 || (lanes.size > 1 && lanes.has('standard'))) return ['all']
  return [...lanes]
}
