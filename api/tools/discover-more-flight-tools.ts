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
    ? `Other servers known for that: ${known}.`
    : `Other servers known for that in part, as nothing is stated of ${listText(unmatched.map(quoted))}: ${known}.`
}

export const discoverMoreFlightToolsTool = defineTool<ToolPage>({
  name: 'discover_more_flight_tools',
  title: 'Other MCP servers for travellers',
  description:
    'Other MCP servers for what no tool here offers: lounge lists, award flights, flight status, hotels, rail, booking. From public pages, none tested; null: not stated.',
  example: { topic: 'lounges' },
  query: discoverMoreFlightTools,
  limits: { servers: 6 },
  text: ({ servers, own_tools, topics, note }, whole) =>
    [
      own_tools.length > 0 && `Tools of this server for that: ${own_tools.join(', ')}.`,
      ...(whole.servers.length === 0
        ? ['No other server is known for that.']
        : [
            firstLine(whole),
            ...servers.map(
              ({ name, use_for, address, ...dated }) =>
                `${name}: ${use_for} (${address ?? 'address not stated'}; ${datedText(dated)})`,
            ),
            note,
          ]),
      `Topics of other servers: ${topics.join(', ')}.`,
    ]
      .filter(Boolean)
      .join('\n'),
})
