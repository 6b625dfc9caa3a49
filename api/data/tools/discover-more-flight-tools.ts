import { z } from 'zod'
import { RELATED_SERVERS, RelatedServer } from '../../../config/reference/related-servers.ts'
import { defineQuery } from '../queries/define.ts'
import { simulated } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { datedText } from './text.ts'

const topics = () => [...new Set(RELATED_SERVERS.rows().flatMap(({ topic }) => topic.split(/, ?/)))].sort()

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2)
/** Whether a word is the wanted one, or its plural or singular. */
const isWord = (word: string, wanted: string) => word === wanted || `${word}s` === wanted || word === `${wanted}s`

const output = z.strictObject({
  servers: z.array(RelatedServer),
  topics: z.array(z.string()).describe('Every topic there is a server for.'),
  note: z.string(),
  simulated,
})

const NOTE =
  'Other people’s servers, from public pages of the date given. None was called or tested by us, and none is recommended; null: not stated.'

const description =
  'Other MCP servers that help where this one does not: lounge lists, award flights, flight status, hotels, weather, rail. Use it when the traveller asks for something that no tool here gives, such as booking or flight status. Taken from public pages, none was tested by us; address, licence and price are null where not stated.'

const query = defineQuery({
  name: 'discoverMoreFlightTools',
  summary: 'Other MCP servers for travellers',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({
    topic: z
      .string()
      .trim()
      .min(1)
      .max(60)
      .optional()
      .describe('Only servers whose topic or use has this, or one of its words, in it.'),
  }),
  output,
  answer({ topic }, { snapshot }) {
    const wanted = topic?.toLowerCase() ?? ''
    const told = (server: RelatedServer) => `${server.topic} ${server.use_for}`.toLowerCase()
    const exact = RELATED_SERVERS.rows().filter((server) => told(server).includes(wanted))
    // "car rental": a server for cars is better than none.
    const near = () =>
      RELATED_SERVERS.rows().filter((server) =>
        wordsOf(wanted).some((one) => wordsOf(told(server)).some((word) => isWord(word, one))),
      )
    const servers = exact.length > 0 ? exact : near()
    return { servers, topics: topics(), note: NOTE, simulated: snapshot.simulated }
  },
})

export const discoverMoreFlightToolsTool = defineTool<z.output<typeof output>>({
  name: 'discover_more_flight_tools',
  title: 'Other MCP servers for travellers',
  description,
  annotations: READ_ONLY,
  example: { topic: 'lounges' },
  query,
  text: ({ servers, topics, note }) =>
    servers.length === 0
      ? `No server is known for that. Topics: ${topics.join(', ')}.`
      : [
          ...servers.map(
            ({ name, use_for, address, ...dated }) =>
              `${name}: ${use_for} (${address ?? 'address not stated'}; ${datedText(dated)})`,
          ),
          note,
        ].join('\n'),
})
