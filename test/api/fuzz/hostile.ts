import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { projectFile } from '../../../config/paths.ts'

/** Texts that are known to break services, each in a different way; what is in the file is as it is sent. */
const KNOWN: Record<
  'texts' | 'encoded' | 'names' | 'accepts' | 'entity_tags' | 'addresses' | 'content_types' | 'json_texts',
  string[]
> = JSON.parse(readFileSync(projectFile('test/api/fuzz/hostile.json'), 'utf8'))

export const HOSTILE_TEXTS = [...KNOWN.texts, '9'.repeat(400)]

/** Percent-encoded texts that go into a URL unchanged. */
export const HOSTILE_ENCODED = [...KNOWN.encoded, 'A'.repeat(201)]

/** Parameter names that no operation has, or only elsewhere. */
export const HOSTILE_NAMES = [...KNOWN.names, 'a'.repeat(2_000)]

const CONTENT_TYPES = [...KNOWN.content_types, `application/json; a=${'b'.repeat(3_000)}`]
const ACCEPTS = [...KNOWN.accepts, 'a,'.repeat(2_000)]
const ENTITY_TAGS = [...KNOWN.entity_tags, '"a'.repeat(2_000)]
const ADDRESSES = [...KNOWN.addresses, ','.repeat(500)]

/** Values of wrong types for a JSON body. */
export const HOSTILE_JSON: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  1.5,
  '',
  'JFK',
  [],
  {},
  [[]],
  [null],
  [{}],
  ['JFK', 1],
  { length: 1, 0: 'JFK' },
  Array(2_000).fill('JFK'),
  { toString: 1 },
  'x'.repeat(5_000),
  '\ud800',
  '\0',
  "'; DROP TABLE accounts; --",
]

const JSON_HEADER = { 'content-type': 'application/json' }
const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

export interface RawBody {
  payload: string | Buffer
  headers: Record<string, string>
}

const HOSTILE_JSON_TEXTS = [
  ...KNOWN.json_texts,
  deep(1_000),
  deep(100_000),
  `{"codes":${deep(5_000)}}`,
  ' '.repeat(262_145),
  `{"a":"${'x'.repeat(300_000)}"}`,
]

/** Bodies that are not JSON, not an object, or do not match their headers. */
export const HOSTILE_BODIES: RawBody[] = [
  ...HOSTILE_JSON_TEXTS.map((payload) => ({ payload, headers: JSON_HEADER })),
  ...CONTENT_TYPES.map((type) => ({
    payload: '{"codes":["JFK"]}',
    headers: { 'content-type': type },
  })),
  { payload: gzipSync('{"codes":["JFK"]}'), headers: { ...JSON_HEADER, 'content-encoding': 'gzip' } },
  { payload: gzipSync(' '.repeat(1_000_000)), headers: { ...JSON_HEADER, 'content-encoding': 'gzip' } },
  { payload: '{"codes":["JFK"]}', headers: { ...JSON_HEADER, 'content-encoding': 'nonsense' } },
  { payload: Buffer.from([0xff, 0xfe, 0x7b, 0x80]), headers: JSON_HEADER },
  { payload: '{"codes":["JFK"]}', headers: {} },
]

const many = Object.fromEntries(Array.from({ length: 150 }, (_, place) => [`x-many-${place}`, 'a'.repeat(40)]))

const ODD_CODINGS = ['gzip', 'br', 'br;q=0', '*', 'gzip;q=0, *;q=0.5', 'identity;q=0', 'zstd', ';;', '\u00fc']

const ODD_REQUEST_IDS = ['a b', '', 'x'.repeat(129), '<b>', 'trace-1', '\u00fc', '../..']

/** Unusual or invalid headers; `{etag}` stands for the entity tag of the answer. */
export const ODD_HEADERS: Record<string, string>[] = [
  ...ACCEPTS.map((accept) => ({ accept })),
  ...ENTITY_TAGS.map((tag) => ({ 'if-none-match': tag })),
  { 'if-modified-since': 'never' },
  { 'if-match': '"no"' },
  { 'if-range': '{etag}', range: 'bytes=0-0,5-3' },
  ...ODD_CODINGS.map((coding) => ({
    'accept-encoding': coding,
  })),
  ...ADDRESSES.map((address) => ({ 'x-forwarded-for': address })),
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'javascript', forwarded: 'for="_x"' },
  { 'x-http-method-override': 'DELETE', 'x-original-url': '/metrics', 'x-rewrite-url': '/mcp' },
  ...ODD_REQUEST_IDS.map((id) => ({ 'x-request-id': id })),
  { origin: 'null', 'access-control-request-method': 'PUT' },
  { origin: 'https://elsewhere.example', cookie: '__proto__=1; a=%zz' },
  { host: 'evil.example:99999' },
  { 'accept-version': '9.9.9', expect: 'nothing', upgrade: 'h2c', connection: 'keep-alive, x-api-key' },
  many,
]
