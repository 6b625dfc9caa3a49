import type { Lane } from '../../config/domain.ts'
import { laneOfWord } from '../../config/lanes.ts'
import { notice } from '../../warehouse/tables/notices.ts'
import type { Place } from './minutes-value.ts'

/** The lane of a source's word; null with a notice when the word is new to us, so that its row is left out. */
export function laneSaid(words: string, place: Place): Lane | null {
  const lane = laneOfWord(words)
  if (lane === null)
    place.notices.push(
      notice('lane_unknown', 'warning', place.path, 'A lane is new to us; its row is left out.', words, place.iata),
    )
  return lane
}
