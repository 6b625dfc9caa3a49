import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { ERROR_CODES } from '../../../config/errors.ts'
import { type AppDependencies, snapshotOf } from '../dependencies.ts'
import { complete } from '../prompts/complete.ts'
import { type Prompt, promptText } from '../prompts/define.ts'
import { PROMPTS } from '../prompts/index.ts'
import type { Resource } from '../resources/define.ts'
import { RESOURCES } from '../resources/index.ts'
import { asHoldshortError } from '../rest/problem.ts'

/** What a client may keep and for how long: the lists are the same for everyone, and change only with the program. */
const LIST = { ttlMs: 600_000, cacheScope: 'public' } as const
export const CACHE_HINTS = {
  'server/discover': LIST,
  'tools/list': LIST,
  'prompts/list': LIST,
  'resources/list': LIST,
  'resources/templates/list': LIST,
  'resources/read': { ttlMs: 60_000, cacheScope: 'private' },
} as const

const byUri = new Map(RESOURCES.map((resource) => [resource.uri, resource]))
const byName = new Map(PROMPTS.map((prompt) => [prompt.name, prompt]))
const listedResources = RESOURCES.map(({ read: _read, ...listed }: Resource) => listed)
const listedPrompts = PROMPTS.map(({ name, title, description, input }) => {
  const { required = [], properties = {} } = z.toJSONSchema(input, { io: 'input' })
  return {
    name,
    title,
    description,
    arguments: Object.entries(properties).map(([argument, schema]) => ({
      name: argument,
      required: required.includes(argument),
      ...(typeof schema === 'object' && schema.description !== undefined && { description: schema.description }),
    })),
  }
})

/** Answers what is read rather than called: resources, prompts and the completion of their arguments. None is billed. */
export function answerReading(
  server: Server,
  { holder, directory, logger }: AppDependencies,
  call: { now: number },
): void {
  server.setRequestHandler('resources/list', () => ({ resources: listedResources }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const resource = byUri.get(uri)
    if (!resource) throw new ResourceNotFoundError(uri)
    return told(logger, () => {
      const text = resource.read({ snapshot: snapshotOf(holder, call.now), directory, now: call.now })
      return { contents: [{ uri, mimeType: resource.mimeType, text }] }
    })
  })
  server.setRequestHandler('prompts/list', () => ({ prompts: listedPrompts }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = promptOf(params.name)
    return told(logger, () => {
      const text = promptText(prompt.plan(params.arguments ?? {}, { directory, now: call.now }))
      return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
    })
  })
  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) => {
    const completion = ref.type === 'ref/prompt' ? promptOf(ref.name).completes[argument.name] : undefined
    return { completion: complete(completion ?? [], argument.value, directory) }
  })
}

function promptOf(name: string): Prompt {
  const prompt = byName.get(name)
  if (prompt) return prompt
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `prompt ${name} is not known; known: ${[...byName.keys()].join(', ')}`,
  )
}

/** Faults of ours as the protocol tells them: the code first, then what is wrong. */
function told<Answer>(logger: AppDependencies['logger'], answer: () => Answer): Answer {
  try {
    return answer()
  } catch (thrown) {
    const { code, message } = asHoldshortError(thrown)
    if (code === 'INTERNAL') logger?.error({ err: thrown }, 'a resource or prompt failed')
    const callers = ERROR_CODES[code].status < 500
    throw new ProtocolError(
      callers ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
      `${code}: ${message}`,
      { code },
    )
  }
}
