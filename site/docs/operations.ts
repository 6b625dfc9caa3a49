import type { OpenApiDocument, OpenApiOperation } from '../../api/rest/openapi-types.ts'
import { TIERS } from '../../config/tiers.ts'
import { exampleBody } from '../discovery/llms-full.ts'
import type { SiteCatalogue } from '../discovery/site-catalogue.ts'

export interface Operation {
  id: string
  method: string
  path: string
  operation: OpenApiOperation
  /** The tier that the key needs; null where none is needed. */
  tier: string | null
  /** The operation that answers the same as CSV, and its path. */
  csv: { path: string; operation: OpenApiOperation } | null
}

/** The operations of a document in its order. The CSV form of an answer belongs to the operation that answers JSON. */
export function operationsOf(document: OpenApiDocument, { queries }: Pick<SiteCatalogue, 'queries'>): Operation[] {
  const { paths } = document
  const isCsvForm = (path: string) => path.endsWith('.csv') && path.slice(0, -'.csv'.length) in paths
  const own = Object.entries(paths).filter(([path]) => !isCsvForm(path))
  return own.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId: id = '', security = [] } = operation
      const query = queries.find(({ name }) => name === id)
      const withKey = query ? TIERS[query.tier].name : 'Free'
      const csvForm = paths[`${path}.csv`]?.[method]
      return {
        id,
        method: method.toUpperCase(),
        path,
        operation,
        tier: security.length === 0 ? null : withKey,
        csv: csvForm ? { path: `${path}.csv`, operation: csvForm } : null,
      }
    }),
  )
}

/** The request of an operation with its examples, for a shell in which HOLDSHORT_KEY is set. */
export function curlOf({ method, path, operation, tier }: Operation, site_url: string): string {
  const { parameters = [], requestBody } = operation
  const address = parameters.reduce(
    (url, { name, example, in: place }) =>
      place === 'path' ? url.replace(`{${name}}`, String(example ?? `{${name}}`)) : url,
    path,
  )
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, example = '' }) => `${name}=${encodeURIComponent(String(example))}`)
    .join('&')
  const body = requestBody?.content['application/json']?.schema
  const verb = method === 'GET' ? '' : `-X ${method} `
  const parts = [
    ...(tier === null ? [] : ['-H "Authorization: Bearer $HOLDSHORT_KEY"']),
    ...(body ? [`-H 'Content-Type: application/json' -d '${JSON.stringify(exampleBody(body))}'`] : []),
    `${verb}'${site_url}${address}${query === '' ? '' : `?${query}`}'`,
  ]
  return `curl ${parts.join(' \\\n  ')}`
}
