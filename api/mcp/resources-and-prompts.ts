import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import { ERROR_CODES } from '../../config/errors.ts'
import { type AppDependencies, snapshotOf } from '../dependencies.ts'
import { complete } from '../prompts/complete.ts'
import { type Prompt, promptText } from '../prompts/define-prompt.ts'
import { asHoldshortError } from '../rest/problem.ts'
import { VIEW_META, VIEW_TYPE } from '../views/apps-extension.ts'
import type { McpCatalogue } from './catalogue.ts'

/** How long clients may cache which answers. The lists are the same for everyone and change only with a new release. */
const LIST = { ttlMs: 600_000, cacheScope: 'public' } as const
export const CACHE_HINTS = {
  'server/discover': LIST,
  'tools/list': LIST,
  'prompts/list': LIST,
  'resources/list': LIST,
  'resources/templates/list': LIST,
  'resources/read': { ttlMs: 60_000, cacheScope: 'private' },
} as const

/** Adds the handlers of resources, prompts and the completion of prompt arguments. They are never billed. */
export function addResourceAndPromptHandlers(
  server: Server,
  catalogue: McpCatalogue,
  { holder, directory, logger }: AppDependencies,
  call: { now: number; showsViews: boolean },
): void {
  server.setRequestHandler('resources/list', () => ({
    resources: call.showsViews ? [...catalogue.listedResources, ...catalogue.listedViews] : catalogue.listedResources,
  }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const text = catalogue.viewDocument(uri)
    if (text) return { contents: [{ uri, mimeType: VIEW_TYPE, text, _meta: VIEW_META }] }
    const resource = catalogue.resource(uri)
    if (!resource) throw new ResourceNotFoundError(uri)
    const snapshot = withProtocolErrors(logger, () => snapshotOf(holder, call.now))
    await resource.prepare?.({ snapshot, directory })
    return withProtocolErrors(logger, () => {
      const text = resource.read({ snapshot, directory, now: call.now })
      return { contents: [{ uri, mimeType: resource.mimeType, text }] }
    })
  })
  server.setRequestHandler('prompts/list', () => ({ prompts: catalogue.listedPrompts }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = promptOf(catalogue, params.name)
    return withProtocolErrors(logger, () => {
      const text = promptText(prompt.plan(params.arguments ?? {}, { directory, now: call.now }))
      return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
    })
  })
  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) => {
    const completion = ref.type === 'ref/prompt' ? promptOf(catalogue, ref.name).completes[argument.name] : undefined
    return { completion: complete(completion ?? [], argument.value, directory) }
  })
}

function promptOf(catalogue: McpCatalogue, name: string): Prompt {
  const prompt = catalogue.prompt(name)
  if (prompt) return prompt
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `there is no prompt ${name}; prompts: ${catalogue.promptNames.join(', ')}`,
  )
}

/** Turns our errors into protocol errors, whose message starts with our code. */
function withProtocolErrors<Answer>(logger: AppDependencies['logger'], answer: () => Answer): Answer {
  try {
    return answer()
  } catch (thrown) {
    const { code, message } = asHoldshortError(thrown)
    if (code === 'INTERNAL') logger?.error({ err: thrown }, 'a resource or prompt failed')
    const causedByCaller = ERROR_CODES[code].status < 500
    throw new ProtocolError(
      causedByCaller ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
      `${code}: ${message}`,
      { code },
    )
  }
}
