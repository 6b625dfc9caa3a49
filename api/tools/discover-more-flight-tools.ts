import {
  discoverMoreFlightTools,
  type OwnTool,
  type ToolPage,
} from '../../answers/questions/discover-more-flight-tools.ts'
import { datedText, listText, partText } from '../../answers/statements/text.ts'
import { quoted } from '../../config/untrusted-text.ts'
import { defineTool, type Tool } from './define.ts'

const MAX_NAMED = 5

/** The names of the servers, the same however many are shown below. */
function firstLine({ servers, unmatched }: ToolPage): string {
  const names = servers.map(({ name }) => name)
  const known = partText(names.slice(0, MAX_NAMED), names.length)
  return unmatched.length === 0
    ? `Other servers known for that: ${known}.`
    : `Other servers known for that in part, as nothing is stated of ${listText(unmatched.map(quoted))}: ${known}.`
}

/** The servers in a line each, behind the one that names them, and what to think of them. */
function serverLines({ servers, note }: ToolPage, whole: ToolPage): string {
  if (whole.servers.length === 0) return 'No other server is known for that.'
  const lines = servers.map(
    ({ name, use_for, address, ...dated }) =>
      `${name}: ${use_for} (${address ?? 'address not stated'}; ${datedText(dated)})`,
  )
  return [firstLine(whole), ...lines, note].join('\n')
}

/** The tool that names other servers, and first those of `tools` that tell the same. */
export const discoverMoreFlightToolsTool = (tools: readonly OwnTool[]): Tool =>
  defineTool<ToolPage>({
    name: 'discover_more_flight_tools',
    title: 'Other MCP servers for travellers',
    description:
      'Other MCP servers for what no tool here offers: lounge lists, award flights, flight status, hotels, rail, booking. From public pages, none tested; null: not stated.',
    example: { topic: 'lounges' },
    topics: [],
    query: discoverMoreFlightTools(tools),
    limits: { servers: 6 },
    text: (page, whole) =>
      [
        page.own_tools.length > 0 && `Tools of this server for that: ${page.own_tools.join(', ')}.`,
        serverLines(page, whole),
        `Topics of other servers: ${page.topics.join(', ')}.`,
      ]
        .filter(Boolean)
        .join('\n'),
  })
