import { discoverMoreFlightTools, type ToolPage } from '../../answers/questions/discover-more-flight-tools.ts'
import { datedText, listText, partText } from '../../answers/statements/text.ts'
import { quoted } from '../../config/untrusted-text.ts'
import { defineTool } from './define.ts'

const MAX_NAMED = 5

/** The names of the servers, the same however many are shown below. */
function firstLine({ servers, unmatched }: ToolPage): string {
  const names = servers.map(({ name }) => name)
  const known = partText(names.slice(0, MAX_NAMED), names.length)
  return unmatched.length === 0
    ? `Known for that: ${known}.`
    : `Known for that in part, as nothing is stated of ${listText(unmatched.map(quoted))}: ${known}.`
}

export const discoverMoreFlightToolsTool = defineTool<ToolPage>({
  name: 'discover_more_flight_tools',
  title: 'Other MCP servers for travellers',
  description:
    'Other MCP servers for what no tool here offers: lounge lists, award flights, flight status, hotels, rail, booking. From public pages, none tested; null: not stated.',
  example: { topic: 'lounges' },
  query: discoverMoreFlightTools,
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
