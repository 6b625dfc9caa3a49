import { countText } from '../../config/count-text.ts'
import { quoted } from '../../config/untrusted-text.ts'
import { factsOf, type Terminal, type Terminals } from '../questions/get-terminals.ts'
import { mapLines } from '../questions/map-places.ts'
import { namedByText, noneKnownText } from '../statements/places.ts'
import { datedText, listText, sentenceOf } from '../statements/text.ts'

/** Terminals and who uses them as a text. */

/** A terminal's name in a text: the words of feeds and of the map are in quotation marks. */
const nameText = (airport: string, terminal: string) => (factsOf(airport, terminal) ? terminal : quoted(terminal))

function terminalText(airport: string, row: Terminal): string {
  const { airlines, note, sources, checkpoint_list } = row
  const terminal = nameText(airport, row.terminal)
  const usedBy = airlines.length > 0 ? `${airlines.join(', ')} and others` : 'airlines not known'
  if (!sources.includes('facts')) return `${terminal}: ${usedBy} (${namedByText(sources)})`
  const checkpoints = checkpoint_list === null ? 'checkpoints not known' : `checkpoints ${checkpoint_list}`
  return `${terminal}: ${usedBy} (${datedText(row)})${note === null ? '' : `; ${note}`}; ${checkpoints}`
}

/** Where to go; says so if it is unknown. */
function adviceText({
  airport,
  airline,
  airline_name,
  airline_corrected,
  airline_change,
  terminals,
  other_terminals,
}: Terminals): string {
  const names = (list: readonly string[]) => listText(list.map((terminal) => nameText(airport, terminal)))
  const own = names(terminals.map(({ terminal }) => terminal))
  if (airline === null)
    return `${airport}: ${countText(terminals.length, 'terminal')} known, possibly not all: ${own}. Yours is on the boarding pass.`
  const called = airline_name === null ? airline : `${airline_name} (${airline})`
  const change = airline_change === null ? '' : `${airline_change}. `
  const guess = airline_corrected ? `If ${airline_name} was meant: ` : change
  if (terminals.length === 0)
    return `${guess}${airport}: which terminal ${called} uses is not known here: ask the airline, or read the boarding pass. Terminals known: ${names(other_terminals)}.`
  return `${guess}${airport}: ${called} is known to use ${own}. Check the boarding pass, for an airline may use several.`
}

export function terminalsText({ terminals, map_terminals }: Terminals, whole: Terminals): string {
  const { airport, known, feed_terminals, no_flights } = whole
  if (!known && no_flights !== undefined) return sentenceOf(no_flights)
  if (!known) return noneKnownText('terminal', airport)
  const feedLines =
    feed_terminals.length > 0 ? [`The wait feeds name now: ${listText(feed_terminals.map(quoted))}.`] : []
  const credits = new Set(terminals.flatMap(({ credit }) => (credit ? [`Source: ${credit}.`] : [])))
  return [
    adviceText(whole),
    ...terminals.map((terminal) => terminalText(airport, terminal)),
    ...credits,
    'Not live: if the airline, the airport or the boarding pass says otherwise, follow them.',
    ...feedLines,
    // Its terminals are in the list above.
    ...mapLines(checkpointsOf(map_terminals), checkpointsOf(whole.map_terminals)),
  ].join('\n')
}

/** The places of a map without its terminals. */
const checkpointsOf = (map: Terminals['map_terminals']) =>
  map && { ...map, places: map.places.filter(({ kind }) => kind === 'checkpoint') }
