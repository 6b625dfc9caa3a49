import { fold } from '../../config/airports/search/fold.ts'
import { isAirlineName } from './find-airline.ts'

const MAX_WORDS_OF_SERVICE = 4
/** Programmes at airports whose names have those of places in them: Mobile in Alabama, Te One, Clear Lake. */
const PROGRAMMES = new Set(['mobile passport', 'mobile passport control', 'delta one', 'clear plus'])

/** Words behind an airline's name that show it is no place: "Alaska lounge". */
const OF_AIRLINE = new Set(['lounge', 'lounges', 'club', 'clubs', 'counter', 'desk', 'check-in', 'checkin'])

/** Ends of airlines' names that people leave out. */
const LEFT_OUT = ['', ' airlines', ' air lines', ' airways', ' air']

const isShortAirlineName = (word: string) => LEFT_OUT.some((end) => isAirlineName(word + end))

/** How many words from a position on name an airline (of several words, or with a word like "lounge") or a programme: 2 in "Virgin Atlantic", 1 in "CLEAR"; 0 if none. */
export function serviceWordsAt(words: readonly string[], first: number): number {
  for (let length = Math.min(MAX_WORDS_OF_SERVICE, words.length - first); length > 1; length -= 1) {
    const text = words.slice(first, first + length).join(' ')
    if (PROGRAMMES.has(fold(text)) || isAirlineName(text)) return length
  }
  const ofAirline = OF_AIRLINE.has(fold(words[first + 1] ?? '')) && isShortAirlineName(words[first]!)
  return Number(ofAirline || fold(words[first]!) === 'clear')
}
