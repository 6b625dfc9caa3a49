import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { XMLParser } from 'fast-xml-parser'
import { z } from 'zod'
import { HoldshortError, SettingsError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import { type ObjectStore, type Precondition, type RequestOptions, unreachable } from './object-store.ts'

export type StoreSettings = Pick<
  Settings,
  | 'store'
  | 'store_addressing'
  | 'aws_endpoint_url'
  | 'aws_endpoint_url_s3'
  | 'aws_region'
  | 'aws_access_key_id'
  | 'aws_secret_access_key'
  | 'aws_session_token'
>

const DEFAULT_REGION = 'us-east-1'
const DEFAULT_WITHIN_MS = 20_000
/** One attempt: enough for the bytes at 500 kB/s. */
const MIN_ATTEMPT_MS = 4_000
const BYTES_PER_MS = 500
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 2_000
const RETRIED = new Set([408, 429, 500, 502, 503, 504])
/** AWS answers so when two conditional writes of one object collide. */
const COLLIDED = 409
const PRECONDITION_FAILED = 412

interface Bucket {
  /** The address of the bucket, with the prefix of the installation, without a slash at its end. */
  url: string
  /** The address of the bucket alone, for listing. */
  root: string
  prefix: string
  address: string
}

/** The bucket that the settings name. @throws SettingsError */
function bucketOf(settings: StoreSettings, named: string): Bucket {
  const match = /^s3:\/\/([^/]+)\/?(.*?)\/*$/.exec(named)
  if (!match) throw new SettingsError([{ parameter: 'HOLDSHORT_STORE', message: 'must be s3://bucket/prefix' }])
  const [, bucket = '', prefix = ''] = match
  const endpoint = settings.aws_endpoint_url_s3 ?? settings.aws_endpoint_url
  const region = settings.aws_region ?? DEFAULT_REGION
  const server = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  const addressing = settings.store_addressing ?? (endpoint === undefined ? 'virtual' : 'path')
  const base = server.pathname.replace(/\/$/, '')
  const root =
    addressing === 'path' ? `${server.origin}${base}/${bucket}` : `${server.protocol}//${bucket}.${server.host}${base}`
  return {
    url: prefix === '' ? root : `${root}/${encodeKey(prefix)}`,
    root,
    prefix,
    address: named.replace(/\/+$/, ''),
  }
}

const encodeKey = (key: string) =>
  key
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/')

const ListAnswer = z.object({
  ListBucketResult: z.object({
    IsTruncated: z.string().optional(),
    NextContinuationToken: z.string().optional(),
    Contents: z.array(z.object({ Key: z.string(), Size: z.string().optional() })).optional(),
  }),
})

const xml = new XMLParser({
  parseTagValue: false,
  isArray: (name) => name === 'Contents',
  htmlEntities: true,
})

interface S3Request {
  method: 'GET' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: Uint8Array
  /** Statuses that are answers and not failures. */
  expected: readonly number[]
}

/**
 * Opens a bucket of an S3-compatible store. Nothing is requested yet.
 * @throws SettingsError when a setting that it needs is missing.
 */
export function openS3(settings: StoreSettings, named = settings.store): ObjectStore {
  const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey } = settings
  const missing = [
    ...(accessKeyId === undefined ? ['AWS_ACCESS_KEY_ID'] : []),
    ...(secretAccessKey === undefined ? ['AWS_SECRET_ACCESS_KEY'] : []),
  ]
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new SettingsError(missing.map((parameter) => ({ parameter, message: `must be set for ${named}` })))
  const bucket = bucketOf(settings, named)
  const { address } = bucket
  const region = settings.aws_region ?? DEFAULT_REGION

  const attempt = async ({ method, url, headers = {}, body }: S3Request, limitMs: number): Promise<Response> => {
    const digest = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const signer = new AwsV4Signer({
      method,
      url,
      headers: Object.assign({ 'x-amz-content-sha256': digest }, headers),
      ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
      accessKeyId,
      secretAccessKey,
      ...(settings.aws_session_token === undefined ? {} : { sessionToken: settings.aws_session_token }),
      service: 's3',
      region,
    })
    const signed = await signer.sign()
    const response = await fetch(signed.url, {
      method,
      headers: signed.headers,
      ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
      redirect: 'error',
      signal: AbortSignal.timeout(limitMs),
    })
    // Read within the same time: a store that stops in the middle of an answer is unreachable too.
    const content = await response.arrayBuffer()
    // An answer to an unmodified object has no content, and may not be made with one.
    const hasBody = response.status !== 204 && response.status !== 304
    return new Response(hasBody ? content : null, { status: response.status, headers: response.headers })
  }

  const send = async (
    request: S3Request,
    { within_ms = DEFAULT_WITHIN_MS }: RequestOptions = {},
  ): Promise<Response> => {
    const until = performance.now() + within_ms
    const attemptMs = Math.max(MIN_ATTEMPT_MS, (request.body?.byteLength ?? 0) / BYTES_PER_MS)
    let reason = 'no answer'
    let cause: unknown
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      const left = until - performance.now()
      if (left <= 0) throw unreachable(address, reason, cause)
      try {
        const response = await attempt(request, Math.max(1, Math.round(Math.min(left, attemptMs))))
        if (request.expected.includes(response.status)) return response
        reason = `status ${response.status}`
        const mayRetry = RETRIED.has(response.status) || (response.status === COLLIDED && request.method === 'PUT')
        if (!mayRetry) throw refused(address, request, response.status, await errorCodeIn(response))
      } catch (error) {
        if (error instanceof HoldshortError) throw error
        cause = error
        reason = reasonOf(error)
      }
      await sleep(Math.min(pause * (0.5 + Math.random()), Math.max(0, until - performance.now())))
    }
  }
  const urlOf = (key: string) => `${bucket.url}/${encodeKey(key)}`
  const stored = async (response: Response) => ({
    bytes: new Uint8Array(await response.arrayBuffer()),
    etag: response.headers.get('etag') ?? '',
  })
  const put = (key: string, body: Uint8Array, headers: Record<string, string>, options?: RequestOptions) =>
    send({ method: 'PUT', url: urlOf(key), headers, body, expected: [200, 201, 204, PRECONDITION_FAILED] }, options)

  return {
    address,
    get: async (key, options) => {
      const response = await send({ method: 'GET', url: urlOf(key), expected: [200, 404] }, options)
      return response.status === 404 ? requireKey(address, response) : stored(response)
    },
    getUnless: async (key, etag, options) => {
      const headers = { 'if-none-match': etag }
      const response = await send({ method: 'GET', url: urlOf(key), headers, expected: [200, 304, 404] }, options)
      if (response.status === 404) return requireKey(address, response)
      return response.status === 304 ? 'unchanged' : stored(response)
    },
    put: async (key, bytes, options) => {
      const { status } = await put(key, bytes, {}, options)
      if (status === PRECONDITION_FAILED) throw refused(address, { method: 'PUT' }, status, '')
    },
    putIf: async (key, bytes, precondition, options) => {
      const headers = conditionHeaders(precondition)
      const response = await put(key, bytes, headers, options)
      if (response.status === PRECONDITION_FAILED) return null
      return response.headers.get('etag') ?? ''
    },
    delete: async (key, options) => {
      await send({ method: 'DELETE', url: urlOf(key), expected: [200, 204, 404] }, options)
    },
    list: async (prefix) => {
      const own = bucket.prefix === '' ? '' : `${bucket.prefix}/`
      const found: { key: string; bytes: number }[] = []
      for (let token: string | undefined, more = true; more; ) {
        const query = new URLSearchParams({ 'list-type': '2', prefix: own + prefix })
        if (token !== undefined) query.set('continuation-token', token)
        const url = `${bucket.root}?${query.toString().replaceAll('+', '%20')}`
        const response = await send({ method: 'GET', url, expected: [200] })
        const { ListBucketResult: page } = ListAnswer.parse(xml.parse(await response.text()))
        for (const { Key, Size } of page.Contents ?? [])
          found.push({ key: Key.slice(own.length), bytes: Number(Size ?? 0) })
        token = page.NextContinuationToken
        more = page.IsTruncated === 'true' && token !== undefined
      }
      return found
    },
  }
}

const conditionHeaders = (precondition: Precondition): Record<string, string> =>
  precondition === 'absent' ? { 'if-none-match': '*' } : { 'if-match': precondition.etag }

/** A missing key is an answer; a missing bucket is not. */
async function requireKey(address: string, response: Response): Promise<null> {
  const code = await errorCodeIn(response)
  if (code === 'NoSuchBucket') throw refused(address, { method: 'GET' }, 404, code)
  return null
}

/** The code in an error of S3, such as AccessDenied; empty where there is none. */
async function errorCodeIn(response: Response): Promise<string> {
  return /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(await response.text().catch(() => ''))?.[1] ?? ''
}

function refused(address: string, { method }: Pick<S3Request, 'method'>, status: number, code: string): HoldshortError {
  const why = code === '' ? `status ${status}` : `${code}, status ${status}`
  return new HoldshortError(
    'STORE_REFUSED',
    `${address} refused ${method} (${why}); check HOLDSHORT_STORE and the AWS_… settings`,
  )
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError') return 'no answer in time'
  const { code } = (cause ?? {}) as NodeJS.ErrnoException
  return code ?? message
}
