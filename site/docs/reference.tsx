import type { JsonSchema, OpenApiDocument, OpenApiOperation } from '../../api/rest/openapi-types.ts'
import { codesOf } from '../discovery/llms-full.ts'
import type { SiteCatalogue } from '../discovery/site-catalogue.ts'
import { type Column, Table } from '../pages/elements.tsx'
import { anchorOf, type DocPage, found, type Section, section } from './doc-page.ts'
import { InlineMarkdown, Listing, MarkdownBlocks } from './markdown.tsx'
import { curlOf, type Operation, operationsOf } from './operations.ts'
import { Fields, fieldNames, type Schemas, valuesText } from './schema-fields.tsx'
import { TryOperation } from './try-it.tsx'

/** The reference of the REST API, made from the OpenAPI document alone. */

interface ReferenceInput {
  document: OpenApiDocument
  catalogue: SiteCatalogue
  site_url: string
}

const TAGS: Record<string, string> = {
  airports: 'Waits, predictions, delays and history',
  account: 'Registration, usage and keys',
  service: 'The service itself',
}

const operationPath = (id: string) => `/docs/rest/${id}`
const tierText = (tier: string | null) =>
  tier === null ? 'no key' : tier === 'Free' ? 'any key' : `a key of ${tier}${tier === 'Pro' ? ' or higher' : ''}`

/** The pages of the REST reference: the list of operations, and one page for each. */
export function referencePages({ document, catalogue, site_url }: ReferenceInput): DocPage[] {
  const operations = operationsOf(document, catalogue)
  return [indexPage(document, operations), ...operations.map((one) => operationPage(one, document, site_url))]
}

function indexPage({ info }: OpenApiDocument, operations: Operation[]): DocPage {
  const groups = Object.entries(TAGS).map(([tag, title]) => ({
    title,
    operations: operations.filter(({ operation }) => operation.tags?.includes(tag)),
  }))
  return {
    path: '/docs/rest',
    title: 'REST reference',
    description:
      'Every operation of the REST API with parameters, answers, errors and examples; each can be tried with a key of yours.',
    group: 'Reference',
    sections: groups.map(({ title }) => section(anchorOf(title), title)),
    body: (
      <>
        <MarkdownBlocks text={info.description} />
        <p>
          The same for programs: <a href="/openapi.json">OpenAPI 3.1</a>, and{' '}
          <a href="/llms-full.txt">one text for agents</a>.
        </p>
        {groups.map(({ title, operations: listed }) => (
          <>
            <h2 id={anchorOf(title)}>{title}</h2>
            <Table label={title} columns={['Operation', 'Request', 'Key']}>
              {listed.map((one) => (
                <OperationRow one={one} />
              ))}
            </Table>
          </>
        ))}
      </>
    ),
  }
}

const OperationRow = ({ one: { id, method, path, operation, tier } }: { one: Operation }) => (
  <tr>
    <th scope="row">
      <a href={operationPath(id)}>{operation.summary ?? id}</a>
    </th>
    <td>
      <code>
        {method} {path}
      </code>
    </td>
    <td>{tierText(tier)}</td>
  </tr>
)

const successOf = ({ responses }: OpenApiOperation) =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))!
function operationPage(one: Operation, document: OpenApiDocument, site_url: string): DocPage {
  const { id, method, path, operation, tier, csv } = one
  const schemas = document.components.schemas as Schemas
  const { summary = id, description = '', parameters = [], requestBody } = operation
  const [status, success] = successOf(operation)
  const bodySchema = requestBody?.content['application/json']?.schema as JsonSchema | undefined
  const answerSchema = success.content?.['application/json']?.schema as JsonSchema | undefined
  const csvContent = csv ? successOf(csv.operation)[1].content : undefined
  const examples = Object.entries({ ...success.content, ...csvContent }).flatMap(([type, { examples: named = {} }]) =>
    Object.values(named).flatMap(({ $ref }) => {
      const value = document.components.examples?.[$ref.split('/').at(-1)!]?.value
      return value === undefined ? [] : [{ type, value }]
    }),
  )
  const failures = Object.entries(operation.responses).filter(([code]) => code >= '400')
  const sections: Section[] = [
    ...(parameters.length > 0 || bodySchema
      ? [
          section(
            'parameters',
            'Parameters',
            [
              ...parameters.map(({ name, description: about }) => `${name} ${about}`),
              ...fieldNames(bodySchema, schemas),
            ].join(' '),
          ),
        ]
      : []),
    ...(method === 'DELETE' ? [] : [section('try', 'Try it')]),
    section('request', 'Request', curlOf(one, site_url)),
    section('answer', 'Answer', fieldNames(answerSchema, schemas).join(' ')),
    ...(examples.length > 0 ? [section('example', 'Example')] : []),
    section('errors', 'Errors', failures.flatMap(([, { description: about }]) => codesOf(about)).join(' ')),
  ]
  return {
    path: operationPath(id),
    title: summary,
    description: plainSentence(description, summary),
    group: 'Reference',
    isPart: true,
    sections: [found('', `${id}: ${summary}`, `${method} ${path} ${description}`), ...sections],
    body: (
      <>
        <p class="request-line">
          <code>
            <b>{method}</b> {path}
          </code>{' '}
          <span>with {tierText(tier)}</span>
        </p>
        <MarkdownBlocks text={description} />
        {(parameters.length > 0 || bodySchema) && (
          <>
            <h2 id="parameters">Parameters</h2>
            {parameters.length > 0 && <Parameters parameters={parameters} schemas={schemas} />}
            {bodySchema && (
              <>
                <p>In the body, as JSON:</p>
                <Fields schema={bodySchema} schemas={schemas} />
              </>
            )}
          </>
        )}
        {method !== 'DELETE' && (
          <>
            <h2 id="try">Try it</h2>
            <TryOperation one={one} />
          </>
        )}
        <aside class="doc-beside" aria-label="Request and answer">
          <h2 id="request">Request</h2>
          <Listing label="The request with curl" text={curlOf(one, site_url)} />
          {examples.length > 0 && (
            <>
              <h2 id="example">Example</h2>
              <p class="small quiet">Its figures are not real. Fields that are null here are left out.</p>
              {examples.map(({ type, value }) => (
                <Listing
                  label={`Example as ${type}`}
                  text={typeof value === 'string' ? value : JSON.stringify(value, withoutNulls, 2)}
                />
              ))}
            </>
          )}
        </aside>
        <h2 id="answer">Answer</h2>
        <p>
          {status}
          {success.content ? `, as ${Object.keys(success.content).join(' or ')}` : ', without a body'}.
          {csv && (
            <>
              {' '}
              <InlineMarkdown text={`As CSV: \`${csv.path}\`. ${csvContent?.['text/csv']?.schema.description ?? ''}`} />
            </>
          )}
        </p>
        {answerSchema && <Fields schema={answerSchema} schemas={schemas} />}
        <h2 id="errors">Errors</h2>
        <Table label="Errors" columns={['Status', 'Codes', 'When']}>
          {failures.map(([code, { description: about }]) => (
            <tr>
              <th scope="row">{code}</th>
              <td>
                {codesOf(about).map((name) => (
                  <>
                    <a href={`/docs/errors#${name}`}>
                      <code>{name}</code>
                    </a>{' '}
                  </>
                ))}
              </td>
              <td>
                <InlineMarkdown text={about.replace(/^(`\w+`(, )?)+: /, '')} />
              </td>
            </tr>
          ))}
        </Table>
      </>
    ),
  }
}

/** Leaves out the members that are null, of which a whole answer has dozens; an element of a list stays. */
function withoutNulls(this: unknown, _name: string, value: unknown) {
  return value === null && !Array.isArray(this) ? undefined : value
}

const PARAMETER_COLUMNS: Column[] = ['Name', 'Where', 'Values', 'Meaning']

function Parameters({
  parameters,
  schemas,
}: {
  parameters: NonNullable<OpenApiOperation['parameters']>
  schemas: Schemas
}) {
  return (
    <Table label="Parameters" columns={PARAMETER_COLUMNS}>
      {parameters.map(({ name, in: place, required, schema, description = '', example }) => (
        <tr id={`parameter-${name}`}>
          <th scope="row">
            <code>{name}</code>
            {required && <span>required</span>}
          </th>
          <td>{place}</td>
          <td>
            {valuesText(schema as JsonSchema, schemas)}
            {schema.default !== undefined && <span>default {JSON.stringify(schema.default)}</span>}
          </td>
          <td>
            <InlineMarkdown text={description} />
            {example !== undefined && (
              <span>
                for example <code>{String(example)}</code>
              </span>
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** The first sentence of a description without its marks, for search engines. */
function plainSentence(description: string, summary: string): string {
  const [sentence = ''] = description.replaceAll('`', '').split(/(?<=\.)\s/)
  return sentence.length > 40 ? sentence : `${summary}. ${sentence}`.trim()
}
