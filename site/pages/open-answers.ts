import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type AppDependencies, serviceFaults } from '../../api/dependencies.ts'
import { ResponseBody, sendBody } from '../../api/rest/response-body.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { type Viewer, viewerOf } from './viewer.ts'

const MAX_CACHED_BYTES = 96 * 1_048_576
const MAX_AGE_SECONDS = 30

/** The input of an open page. `snapshot` is as of `now` (epoch ms); null while none has been published. */
export interface PageInput {
  snapshot: Snapshot | null
  now: number
  viewer: Viewer
}

type Made = string | Buffer

export interface OpenAnswer {
  /** The other dependencies of the answer besides time and snapshot, such as its address with the parameters that it reads. */
  key: string
  type: string
  headers?: Record<string, string> | undefined
  make: (input: PageInput) => Made | Promise<Made>
}

declare module 'fastify' {
  interface FastifyInstance {
    openAnswers: OpenAnswers
  }
}

/**
 * Answers that anyone may see without a key. Strangers share one cached answer per snapshot and minute; a signed-in visitor gets
 * an uncached answer by tier. The routes are marked as open pages, which limits each address.
 */
export class OpenAnswers {
  readonly #dependencies: AppDependencies
  readonly #clock: () => number
  readonly #bodies = new LRUCache<string, ResponseBody>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: (body, key) => 2 * body.length + key.length + 256,
  })
  #version = ''

  constructor(dependencies: AppDependencies) {
    this.#dependencies = dependencies
    this.#clock = dependencies.clock ?? Date.now
  }

  /** Sends an answer; for strangers a kept one where there is one. */
  async send(request: FastifyRequest, reply: FastifyReply, answer: OpenAnswer): Promise<FastifyReply> {
    // Also for an account that is temporarily unreadable: its browser must not keep the answer for strangers.
    if (request.visitor || request.visitorFault) {
      const body = await this.#make(answer, request, 'visitor')
      return sendBody(request, reply, body, 'private, no-store')
    }
    const version = this.#currentVersion()
    if (version !== this.#version) {
      this.#bodies.clear()
      this.#version = version
    }
    const cached = this.#bodies.get(answer.key)
    if (cached) return sendBody(request, reply, cached, `public, max-age=${MAX_AGE_SECONDS}`)
    const body = await this.#make(answer, request, version)
    if (version === this.#version) this.#bodies.set(answer.key, body)
    return sendBody(request, reply, body, `public, max-age=${MAX_AGE_SECONDS}`)
  }

  async #make({ make, type, headers }: OpenAnswer, request: FastifyRequest, version: string): Promise<ResponseBody> {
    const now = this.#clock()
    const snapshot = this.#dependencies.holder.current()?.asOf(now) ?? null
    const content = await make({ snapshot, now, viewer: viewerOf(request, this.#dependencies.settings) })
    // A copy cached for a stranger must not be shown to a visitor who has signed in since.
    const vary = 'Accept, Accept-Encoding, Cookie'
    return new ResponseBody(content, type, version, { ...headers, vary })
  }

  /** Pages show clocks and ages in minutes. */
  #currentVersion(): string {
    const { holder } = this.#dependencies
    const faults = serviceFaults(this.#dependencies).map(({ code }) => code)
    return [holder.current()?.id ?? 'none', Math.floor(this.#clock() / 60_000), ...faults].join('.')
  }
}

/** The options of a route whose answers anyone may see. */
export const OPEN_ROUTE = { config: { isOpenPage: true } } as const
