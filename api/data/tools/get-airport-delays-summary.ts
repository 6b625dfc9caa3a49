import type { z } from 'zod'
import { quoted } from '../../../config/outside-text.ts'
import { getDelays } from '../queries/get-delays.ts'
import { defineTool, READ_ONLY } from './define.ts'

interface Answer {
  airport: string
  status: string
  summary: string
  programs: { type: string; reason: string | null; average_minutes: number | null; end: string | null }[]
  observed_at: string | null
}

/** The type, average, reason and end of a program, where known. */
function programText({ type, reason, average_minutes, end }: Answer['programs'][number]): string {
  const average = average_minutes === null ? '' : `, ${average_minutes} min on average`
  const until = end === null ? '' : `, until ${end.slice(11, 16)} UTC`
  return `${type.replaceAll('_', ' ')}${average}${reason === null ? '' : ` (${quoted(reason)})`}${until}`
}

export const getAirportDelaysSummaryTool = defineTool<Answer & z.output<typeof getDelays.output>>({
  name: 'get_airport_delays_summary',
  title: 'FAA delay status of one airport',
  description:
    'FAA delay status of one airport in one word and one sentence, with its programs, closures and newest METAR. Use it for “is JFK delayed?”; for all of the US use get_faa_delays. Each part has its age. US airports only: elsewhere `supported` is false. A status of `unknown` means that nothing is known, never that there is no delay. Delays of airlines and single flights are not known here.',
  annotations: READ_ONLY,
  example: { iata: 'JFK' },
  query: getDelays,
  shorten: ['closures', 'programs'],
  text: ({ airport, status, summary, programs, observed_at }) =>
    [
      `${airport}: ${status.replaceAll('_', ' ')}. ${summary}`,
      ...programs.map(programText),
      observed_at === null ? '' : `As of ${observed_at}.`,
    ]
      .filter(Boolean)
      .join('\n'),
})
