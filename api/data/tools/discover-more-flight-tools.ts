import { z } from 'zod'
import { defineQuery } from '../../../answers/questions/define.ts'
import { simulated } from '../../../answers/questions/shared-fields.ts'
import { datedText, partText } from '../../../answers/statements/text.ts'
import { RELATED_SERVERS, RelatedServer } from '../../../config/reference/related-servers.ts'
import { defineTool } from './define.ts'

const output = z.strictObject({
  servers: z.array(RelatedServer),
  topics: z.array(z.string()).describe('Every topic for which a server is known.'),
  note: z.string(),
  simulated,
})

type Answer = z.output<typeof output>

const NOTE =
  'Servers of other providers, from public pages of the date given. We have not called, tested or recommended any of them; null: not stated.'

const query = defineQuery({
  name: 'discoverMoreFlightTools',
  input: z.strictObject({
    topic: z
      .string()
      .trim()
      .min(1)
      .max(60)
      .optional()
      .describe('Only servers whose topic or use contains this, or one of its words.'),
  }),
  output,
  answer({ topic }) {
    return {
      servers: serversFor(topic?.toLowerCase() ?? ''),
      topics: topics(),
      note: NOTE,
      simulated: false,
    }
  },
})

const topics = () => [...new Set(RELATED_SERVERS.rows().flatMap(({ topic }) => topic.split(/, ?/)))].sort()

/** Servers whose topic or use contains the text; if there are none, those that contain one of its words ("car rental": cars). */
function serversFor(text: string): RelatedServer[] {
  const textOf = ({ topic, use_for }: RelatedServer) => `${topic} ${use_for}`.toLowerCase()
  if (text === '') return [...RELATED_SERVERS.rows()]
  if (wordsOf(text).length === 0) return []
  const exact = RELATED_SERVERS.rows().filter((server) => textOf(server).includes(text))
  if (exact.length > 0) return exact
  const words = wordsOf(text)
  return RELATED_SERVERS.rows().filter((server) =>
    wordsOf(textOf(server)).some((word) => words.some((wanted) => isSameWord(word, wanted))),
  )
}

/** Small words, and words that every server is about, are no topic. */
const NO_TOPIC = new Set(
  `a an and any are at by can could do find for from get give have how i if in is it list me my need no not of on only or other our
  out search server servers show some than that the their them there these they this to tool tools travel traveller travellers use via
  want was we what when where which who will with without you your`.split(/\s+/),
)

const wordsOf = (text: string) => text.split(/[^a-z]+/).filter((word) => word.length > 2 && !NO_TOPIC.has(word))

/** Whether two words are the same, or singular and plural. */
const isSameWord = (a: string, b: string) => a === b || `${a}s` === b || a === `${b}s`

const MAX_NAMED = 5

/** The names of the servers, the same however many are shown below. */
function firstLine({ servers }: Answer): string {
  const names = servers.map(({ name }) => name)
  return `Known for that: ${partText(names.slice(0, MAX_NAMED), names.length)}.`
}

export const discoverMoreFlightToolsTool = defineTool<Answer>({
  name: 'discover_more_flight_tools',
  title: 'Other MCP servers for travellers',
  description:
    'Other MCP servers for what no tool here offers: lounge lists, award flights, flight status, hotels, rail, booking. From public pages; we tested none of them. Null: not stated.',
  example: { topic: 'lounges' },
  query,
  limits: { servers: 6 },
  text: ({ servers, topics, note }, whole) =>
    whole.servers.length === 0
      ? `No server is known for that. Topics: ${topics.join(', ')}.`
      : [
          firstLine(whole),
          ...servers.map(
            ({ name, use_for, address, ...dated }) =>
              `${name}: ${use_for} (${address ?? 'address not stated'}; ${datedText(dated)})`,
          ),
          note,
          `Topics: ${topics.join(', ')}.`,
        ].join('\n'),
})
