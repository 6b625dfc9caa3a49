import { z } from 'zod'
import type { JsonSchema } from '../../api/rest/openapi-types.ts'
import { toolInput } from '../../api/tools/answer-size.ts'
import type { Tool } from '../../api/tools/define.ts'
import type { Addresses } from '../../config/addresses.ts'
import { TIERS } from '../../config/tiers.ts'
import { SHARED_PARAMETERS } from '../discovery/llms-full.ts'
import type { SiteCatalogue } from '../discovery/site-catalogue.ts'
import { Table } from '../pages/elements.tsx'
import { type DocPage, found, section } from './doc-page.ts'
import { InlineMarkdown, Listing } from './markdown.tsx'
import { Fields, fieldNames } from './schema-fields.tsx'
import { TryTool } from './try-it.tsx'

/** The reference of the MCP server, made from its listing: tools, resources, prompts and pictures. */

const toolPath = (name: string) => `/docs/mcp/${name}`
const keyText = ({ query }: Tool) =>
  query.tier === 'free' ? 'any key' : `a key of ${TIERS[query.tier].name} or higher`

/** The pages of the MCP reference: the lists, and one page for each tool. */
export function toolPages(catalogue: SiteCatalogue, addresses: Addresses): DocPage[] {
  return [indexPage(catalogue, addresses), ...catalogue.tools.map((tool) => toolPage(tool, addresses))]
}

function indexPage({ tools, resources, prompts, mcp }: SiteCatalogue, { mcp_url }: Addresses): DocPage {
  const views = mcp.listedViews
  const viewOf = new Map(tools.flatMap(({ name, picture }) => (picture ? [[name, picture.view.uri]] : [])))
  return {
    path: '/docs/mcp',
    title: 'MCP reference',
    description: 'Every tool, resource, prompt and picture of the MCP server, with arguments, answers and examples.',
    group: 'Reference',
    sections: [
      section('server', 'The server', `${mcp_url}/mcp OAuth bearer`),
      section('tools', 'Tools'),
      section('resources', 'Resources', resources.map(({ uri, title }) => `${uri} ${title}`).join(' ')),
      section('prompts', 'Prompts', prompts.map(({ name, title }) => `${name} ${title}`).join(' ')),
      section(
        'pictures',
        'Pictures in the conversation',
        views.map(({ uri, title }) => `${uri} ${title} MCP Apps`).join(' '),
      ),
    ],
    body: (
      <>
        <h2 id="server">The server</h2>
        <p>
          <code>{mcp_url}/mcp</code>, Streamable HTTP. A client that supports OAuth 2.1 needs only this address; any
          other sends a key as <code>Authorization: Bearer …</code>. <a href="/docs/start">Quick starts</a> show it for
          Claude, ChatGPT, Cursor and VS Code. The listing for programs:{' '}
          <a href="/.well-known/mcp/tools.json">/.well-known/mcp/tools.json</a>.
        </p>
        <h2 id="tools">Tools</h2>
        <Table label="Tools" columns={['Tool', 'What it is for', 'Key']}>
          {tools.map((tool) => (
            <tr>
              <th scope="row">
                <a href={toolPath(tool.name)}>
                  <code>{tool.name}</code>
                </a>
              </th>
              <td>
                {tool.title}
                {viewOf.has(tool.name) && <span>with a picture</span>}
              </td>
              <td>{keyText(tool)}</td>
            </tr>
          ))}
        </Table>
        <h2 id="resources">Resources</h2>
        <dl>
          {resources.map(({ uri, title, description }) => (
            <>
              <dt>
                <code>{uri}</code> {title}
              </dt>
              <dd>{description}</dd>
            </>
          ))}
        </dl>
        <h2 id="prompts">Prompts</h2>
        <dl>
          {prompts.map(({ name, title, description }) => (
            <>
              <dt>
                <code>{name}</code> {title}
              </dt>
              <dd>{description}</dd>
            </>
          ))}
        </dl>
        <h2 id="pictures">Pictures in the conversation</h2>
        <p>
          A host with the MCP Apps extension (<code>io.modelcontextprotocol/ui</code>) shows a picture beside the answer
          of some tools: they name it in <code>_meta.ui.resourceUri</code>. The picture asks nobody for anything, and
          shows what the tier of the key sees. Other hosts get the same answers without it.
        </p>
        <dl>
          {views.map(({ uri, title, description }) => (
            <>
              <dt>
                <code>{uri}</code> {title}
              </dt>
              <dd>
                {description} Tools: {[...viewOf].flatMap(([name, of]) => (of === uri ? [name] : [])).join(', ')}.
              </dd>
            </>
          ))}
        </dl>
      </>
    ),
  }
}

function toolPage(tool: Tool, { mcp_url, site_url }: Addresses): DocPage {
  const { name, title, description, example } = tool
  const input = describedInput(z.toJSONSchema(toolInput(tool), { io: 'input' }) as JsonSchema)
  const output = z.toJSONSchema(tool.query.output, { io: 'output' }) as JsonSchema & {
    $defs?: Record<string, JsonSchema>
  }
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: example } })
  const curl = `curl -X POST '${mcp_url}/mcp' \\\n  -H "Authorization: Bearer $HOLDSHORT_KEY" \\\n  -H 'Content-Type: application/json' -H 'Accept: application/json' \\\n  -d '${call.replaceAll("'", "'\\''")}'`
  const isHere = mcp_url === site_url
  const writes = !tool.annotations.readOnlyHint
  return {
    path: toolPath(name),
    title: `${name}: ${title}`,
    description: description.split(/(?<=\.)\s/)[0]!,
    group: 'Reference',
    isPart: true,
    sections: [
      found('', `${name}: ${title}`, description),
      { id: 'arguments', title: 'Arguments', depth: 2, text: fieldNames(input, {}).join(' ') },
      ...(isHere ? [section('try', 'Try it')] : []),
      section('call', 'Call'),
      { id: 'answer', title: 'Answer', depth: 2, text: fieldNames(output, output.$defs ?? {}).join(' ') },
    ],
    body: (
      <>
        <p class="request-line">
          <code>{name}</code>{' '}
          <span>
            with {keyText(tool)}; {writes ? 'it writes' : 'it only reads'}
          </span>
        </p>
        <p>
          <InlineMarkdown text={description} />
        </p>
        <h2 id="arguments">Arguments</h2>
        {Object.keys(input.properties ?? {}).length === 0 ? <p>None.</p> : <Fields schema={input} schemas={{}} />}
        {isHere && (
          <>
            <h2 id="try">Try it</h2>
            {writes && <p>This call writes: it is real.</p>}
            <TryTool name={name} example={example} path="/mcp" isFree={tool.query.tier === 'free'} />
          </>
        )}
        <h2 id="call">Call</h2>
        <Listing label="The call with curl" text={curl} />
        <h2 id="answer">Answer</h2>
        <p>
          A short text, and <code>structuredContent</code> with these fields
          {tool.brief || tool.pages ? (
            <>
              {' '}
              with <code>detail: "full"</code>; by default the part that a question needs
            </>
          ) : null}
          .
        </p>
        <Fields schema={output} schemas={output.$defs ?? {}} />
      </>
    ),
  }
}

function describedInput(schema: JsonSchema): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    field.description === undefined && name in SHARED_PARAMETERS
      ? { ...field, description: SHARED_PARAMETERS[name] }
      : field,
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}
