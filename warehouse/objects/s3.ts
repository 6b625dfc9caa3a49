import { createHash } from 'node:crypto'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { HoldshortError, SettingsError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'

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

// The version is pinned, and the notice that later ones will not run on Node 20 is nothing that an operator can act on.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'

const DEFAULT_REGION = 'us-east-1'
const DEFAULT_WITHIN_MS = 20_000
const CONNECT_MS = 4_000
const MAX_ATTEMPTS = 6
/** An object of the tables may be large. */
const DIGEST_WITHIN_MS = 300_000

export interface RequestOptions {
  /** How long the request may take with all its attempts, in milliseconds. */
  within_ms?: number
}

/**
 * A bucket of an object store, below a prefix. Requests are repeated within their time.
 * @throws HoldshortError STORE_UNREACHABLE when no usable answer came in time; STORE_REFUSED when the store refuses: the
 *   credentials, the bucket or a setting is wrong, and a retry cannot succeed.
 */
export interface ObjectStore {
  /** The address for people: without credentials. */
  readonly address: string
  /** Null when there is no such object. */
  get: (key: string, options?: RequestOptions) => Promise<Uint8Array | null>
  put: (key: string, bytes: Uint8Array, options?: RequestOptions) => Promise<void>
  /** An object that does not exist counts as deleted. */
  delete: (key: string) => Promise<void>
  /** The SHA-256 of an object of any size; null when there is no such object. */
  digest: (key: string) => Promise<string | null>
  /** The objects whose key begins with a prefix. */
  list: (prefix: string) => Promise<StoredObject[]>
}

/** An object as a bucket lists it. */
export interface StoredObject {
  key: string
  bytes: number
  modified_ms: number
  /** Changes when the object is written; a copy of the same bytes may have another one. */
  etag: string
}

type Body = NonNullable<GetObjectCommandOutput['Body']>

async function digestOf(body: Body): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of body as AsyncIterable<Uint8Array>) hash.update(chunk)
  return hash.digest('hex')
}

/** Gives an error of the client its code. */
function asStoreError(address: string, cause: unknown): HoldshortError {
  const { name, message } = cause as Error
  const status = cause instanceof S3ServiceException ? (cause.$metadata.httpStatusCode ?? 0) : 0
  const isRefused =
    (status >= 400 && status < 500 && status !== 408 && status !== 429) || name === 'CredentialsProviderError'
  return isRefused
    ? new HoldshortError('STORE_REFUSED', `${address} refuses (${name}: ${message})`, { cause })
    : new HoldshortError('STORE_UNREACHABLE', `${address} gave no usable answer (${name}: ${message})`, { cause })
}

/** The address of a bucket and its style, by the settings; `endpoint` is null at AWS itself. */
export function storeAddress(settings: StoreSettings) {
  const endpoint = settings.aws_endpoint_url_s3 ?? settings.aws_endpoint_url ?? null
  return {
    endpoint: endpoint === null ? null : new URL(endpoint),
    region: settings.aws_region ?? DEFAULT_REGION,
    addressing: settings.store_addressing ?? (endpoint === null ? 'virtual' : 'path'),
  }
}

function clientOf(settings: StoreSettings): S3Client {
  const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey, aws_session_token } = settings
  const { endpoint, region, addressing } = storeAddress(settings)
  return new S3Client({
    region,
    forcePathStyle: addressing === 'path',
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_MS },
    // Stores other than AWS know no checksums beyond those that a request requires.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint && { endpoint: endpoint.href }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && {
        credentials: { accessKeyId, secretAccessKey, ...(aws_session_token && { sessionToken: aws_session_token }) },
      }),
  })
}

/** The credentials that sign a request to the bucket. */
export interface StoreCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

/**
 * A function that gives the credentials of the moment: those of the settings, otherwise those that the AWS SDK finds and renews.
 * @throws HoldshortError STORE_REFUSED
 */
export function storeCredentials(settings: StoreSettings): () => Promise<StoreCredentials> {
  const { credentials } = clientOf(settings).config
  return () =>
    credentials().catch((error) => {
      throw asStoreError(settings.store, error)
    })
}

/**
 * Opens a bucket of an S3-compatible store. Without keys in the settings the AWS SDK looks for credentials (roles, web identity,
 * SSO) and renews them. Nothing is requested yet.
 * @throws SettingsError if the settings name no bucket.
 */
export function openS3(settings: StoreSettings): ObjectStore {
  const match = /^s3:\/\/([^/]+)\/?(.*?)\/*$/.exec(settings.store)
  if (!match) throw new SettingsError([{ parameter: 'HOLDSHORT_STORE', message: 'must be s3://bucket/prefix' }])
  const [, Bucket = '', named = ''] = match
  const prefix = named === '' ? '' : `${named}/`
  const address = settings.store.replace(/\/+$/, '')
  const client = clientOf(settings)
  const within = async <T>(
    work: (options: { abortSignal: AbortSignal }) => Promise<T>,
    options: RequestOptions = {},
  ) => {
    try {
      return await work({ abortSignal: AbortSignal.timeout(options.within_ms ?? DEFAULT_WITHIN_MS) })
    } catch (error) {
      throw asStoreError(address, error)
    }
  }
  const read = <T>(key: string, take: (body: Body) => Promise<T>, options?: RequestOptions): Promise<T | null> =>
    within(async (abort) => {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: prefix + key }), abort)
        return Body === undefined ? null : await take(Body)
      } catch (error) {
        if ((error as Error).name === 'NoSuchKey') return null
        throw error
      }
    }, options)
  return {
    address,
    get: (key, options) => read(key, (body) => body.transformToByteArray(), options),
    digest: (key) => read(key, digestOf, { within_ms: DIGEST_WITHIN_MS }),
    put: (key, Body, options) =>
      within(
        async (abort) => void (await client.send(new PutObjectCommand({ Bucket, Key: prefix + key, Body }), abort)),
        options,
      ),
    delete: (key) =>
      within(async (abort) => void (await client.send(new DeleteObjectCommand({ Bucket, Key: prefix + key }), abort))),
    list: async (below) => {
      const found: StoredObject[] = []
      for (let ContinuationToken: string | undefined; ; ) {
        const request = { Bucket, Prefix: prefix + below, ContinuationToken }
        const page = await within((abort) => client.send(new ListObjectsV2Command(request), abort))
        for (const { Key, Size, LastModified, ETag } of page.Contents ?? [])
          if (Key !== undefined)
            found.push({
              key: Key.slice(prefix.length),
              bytes: Size ?? Number.NaN,
              modified_ms: LastModified?.getTime() ?? Number.NaN,
              etag: ETag ?? '',
            })
        ContinuationToken = page.NextContinuationToken
        if (!page.IsTruncated || ContinuationToken === undefined) return found
      }
    },
  }
}
