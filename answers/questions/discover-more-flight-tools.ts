import { z } from 'zod'
import { RELATED_SERVERS, RelatedServer } from '../../config/reference/related-servers.ts'
import { defineQuery } from './define.ts'
import { simulated } from './shared-fields.ts'

const output = z.strictObject({
  servers: z.array(RelatedServer),
  own_tools: z.array(z.string()).describe('Tools of this server that are about the topic: they come first.'),
  topics: z.array(z.string()).describe('Every topic for which a server is known.'),
  unmatched: z.array(z.string()).describe('Words of the topic that no listed server is about.'),
  note: z.string(),
  simulated,
})

export type ToolPage = z.output<typeof output>

/** A tool of this server, and the words for what it tells, in the singular. */
export interface OwnTool {
  name: string
  topics: readonly string[]
}

const NOTE =
  'Servers of other providers, from public pages of the date given. We have not called, tested or recommended any of them; null: not stated.'

/** The query for other servers about a topic, and for those of `tools` that are about it. */
export const discoverMoreFlightTools = (tools: readonly OwnTool[]) =>
  defineQuery({
    name: 'discoverMoreFlightTools',
    input: z.strictObject({
      topic: z
        .string()
        .trim()
        .min(1)
        .max(60)
        .optional()
        .describe('Only servers whose topic or use contains one of these words.'),
    }),
    output,
    answer({ topic }) {
      const text = topic?.toLowerCase() ?? ''
      const servers = serversFor(text)
      return {
        servers,
        own_tools: ownToolsFor(text, tools),
        unmatched: unmatchedOf(text, servers),
        topics: topics(),
        note: NOTE,
        simulated: false,
      }
    },
  })

/** Words beside those of a topic that say nothing else. */
const GENERAL_WORDS = new Set('airports flights flight time times live current line lines'.split(' '))

/**
 * The tools of this server about a topic, if each of its words is of one: an "award history" is not of waits. "airport" counts only where no
 * other word is about a topic.
 */
function ownToolsFor(text: string, tools: readonly OwnTool[]): string[] {
  const stated = wordsOf(text)
  const words = stated.length > 0 ? stated : text.split(/[^a-z]+/)
  const isAbout = (word: string) => (tool: OwnTool) => tool.topics.some((topic) => isSameWord(word, topic))
  const hasOther = stated.some((word) => !GENERAL_WORDS.has(word) && !tools.some(isAbout(word)))
  if (hasOther) return []
  return tools.filter((tool) => words.some((word) => isAbout(word)(tool))).map(({ name }) => name)
}

const topics = () => [...new Set(RELATED_SERVERS.rows().flatMap(({ topic }) => topic.split(/, ?/)))].sort()

const textOf = ({ topic, use_for }: RelatedServer) => `${topic} ${use_for}`.toLowerCase()

/** The words of a text that the servers found for it are not about. */
function unmatchedOf(text: string, servers: readonly RelatedServer[]): string[] {
  const known = servers.flatMap((server) => wordsOf(textOf(server)))
  if (servers.some((server) => textOf(server).includes(text)) || topicsIn(text).length > 0) return []
  return wordsOf(text).filter((word) => !wantedOf(word).some((wanted) => known.some((own) => isSameWord(own, wanted))))
}

/** Servers whose topic or use contains the text; if there are none, those of a topic in it ("flight status AA100"), else those of a topic with one of its words ("car rental": cars), or with most of them in their use. */
function serversFor(text: string): RelatedServer[] {
  if (text === '') return [...RELATED_SERVERS.rows()]
  if (wordsOf(text).length === 0) return []
  const exact = RELATED_SERVERS.rows().filter((server) => textOf(server).includes(text))
  if (exact.length > 0) return exact
  const named = topicsIn(text)
  if (named.length > 0) return RELATED_SERVERS.rows().filter(({ topic }) => named.some((name) => topic.includes(name)))
  const words = wantedOf(text)
  return RELATED_SERVERS.rows().filter((server) => {
    const isIn = (known: readonly string[]) => (wanted: string) => known.some((word) => isSameWord(word, wanted))
    if (words.some(isIn(wordsOf(server.topic)))) return true
    // A use has words like time, which say little: "connection time" is not about every server that has one.
    const found = words.filter(isIn(wordsOf(textOf(server))))
    return found.length > 0 && lettersIn(found) * 2 >= lettersIn(words)
  })
}

/** The topics of several words that a text has. */
const topicsIn = (text: string) => topics().filter((topic) => topic.includes(' ') && text.includes(topic))

const lettersIn = (words: readonly string[]) => words.join('').length

/** Small words, and words that every server is about, are no topic. */
const NO_TOPIC = new Set(
  `a airport airports an and any are at by can could do find for from get give have how i if in is it list me my need no not of on only or other our
  out search server servers show some than that the their them there these they this to tool tools travel traveller travellers use via
  want was we what when where which who will with without you your`.split(/\s+/),
)

/** Words of travellers for words of the topics. */
const SYNONYMS: Readonly<Record<string, string>> = {
  train: 'rail',
  railway: 'rail',
  bus: 'transport',
  metro: 'transport',
  subway: 'transport',
  tram: 'transport',
  hostel: 'hotel',
  accommodation: 'hotel',
  stay: 'hotel',
  miles: 'award',
  points: 'award',
  plane: 'flight',
  taxi: 'car',
}

const wordsOf = (text: string) => text.split(/[^a-z]+/).filter((word) => word.length > 2 && !NO_TOPIC.has(word))

/** The same with the words of the topics in place of travellers' own. */
const wantedOf = (text: string) =>
  wordsOf(text).map((word) => SYNONYMS[word] ?? SYNONYMS[word.replace(/s$/, '')] ?? word)

/** Whether two words are the same, or singular and plural. */
const isSameWord = (a: string, b: string) => a === b || `${a}s` === b || a === `${b}s`
