import { gzipSync } from 'node:zlib'

/** Texts that have broken other services, each for a reason of its own. */
export const HOSTILE_TEXTS = [
  ...["' OR 1=1 --", '"; DROP TABLE keys; --', '1 UNION SELECT hash FROM keys', 'JFK%', '_FK', 'JFK*', 'JFK;LGA'],
  ...['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '{{7*7}}', '$\u007b7*7}', '$(id)', '`id`', '=1+1'],
  ...['../../../etc/passwd', '..\\..\\boot.ini', '/etc/passwd', 'file:///etc/passwd', 'http://127.0.0.1/', '//'],
  ...['\0', 'JFK\0', 'JFK\r\nSet-Cookie: a=b', '\u001b[31m', '\t', ' ', ' JFK ', '\u200b', '\u202eKFJ', '\ufeffJFK'],
  ...['ＪＦＫ', 'JFК', 'ſſſ', 'jfk', 'İST', '１２', '٣', 'e\u0301', '👩‍✈️', '\ud83d\ude00'.repeat(60), 'ß'.repeat(100)],
  ...['NaN', 'Infinity', '-0', '1e309', '1e3', '0x10', '1.0', '+1', '01', '9007199254740993', '9'.repeat(400)],
  ...['null', 'undefined', 'true ', 'TRUE', '[]', '{}', '[object Object]', '__proto__', 'constructor', 'toString'],
  ...['0000-01-01', '9999-12-31', '2026-02-30', '2026-11-21T00:00:00Z', '-000001-01-01', '2026-W47', '20261121'],
]

/** Percent-encoded texts, to be put into an address as they are. */
export const HOSTILE_ENCODED = [
  ...['%', '%zz', '%00', 'JFK%00', '%c0%af', '%e0%80%80', '%ff', '%u0041', '%25%30%30', '%2e%2e%2f', 'J%2FK', '%5c'],
  ...[
    '%0d%0aSet-Cookie:a=b',
    '%E2%80%AEJFK',
    '%F0%9F%98',
    '%4a%46%4b',
    'A'.repeat(201),
    'JFK;a=b',
    'JFK%23',
    '.',
    '%7f',
  ],
]

/** Names of parameters that no operation has, or has otherwise. */
export const HOSTILE_NAMES = [
  ...[
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'limit[]',
    'limit[gt]',
    'LIMIT',
    'q ',
    '',
    '$where',
    'iata',
    'keyId',
  ],
  ...['a'.repeat(2_000), "'", '\0', 'ＬＩＭＩＴ', 'api_key', 'access_token', 'callback', '_method', 'toString'],
]

/** Values of the wrong kind inside a JSON body. */
export const HOSTILE_JSON: unknown[] = [
  ...[null, true, 0, -1, 1e308, 1.5, '', 'JFK', [], {}, [[]], [null], [{}], ['JFK', 1], { length: 1, 0: 'JFK' }],
  ...[Array(2_000).fill('JFK'), { toString: 1 }, 'x'.repeat(5_000), '\ud800', '\0', "'; DROP TABLE accounts; --"],
]

const JSON_HEADER = { 'content-type': 'application/json' }
const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

export interface RawBody {
  payload: string | Buffer
  headers: Record<string, string>
}

/** Bodies that are no JSON, no object, or not what their headers say. */
export const HOSTILE_BODIES: RawBody[] = [
  ...[
    ...['{', '{"codes"', '{"codes":["JFK"],}', '', ' ', 'null', '[]', '"JFK"', '1', 'NaN', "{'codes':['JFK']}", '\0'],
    ...['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}', '{"codes":["JFK"],"__proto__":{}}'],
    ...['{"codes":["JFK"],"codes":["LGA"]}', '\ufeff{"codes":["JFK"]}', '{"codes":["\\ud800"]}', '{"\\u0000":1}'],
    ...[deep(1_000), deep(100_000), `{"codes":${deep(5_000)}}`, ' '.repeat(262_145), `{"a":"${'x'.repeat(300_000)}"}`],
  ].map((payload) => ({ payload, headers: JSON_HEADER })),
  ...[
    ...['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '*/*'],
    ...[
      'application/json; charset=utf-16',
      'application/json;',
      'application/jsonp',
      'text/json',
      'json',
      '/',
      ';',
      '',
    ],
    ...[
      'application/vnd.api+json',
      'APPLICATION/JSON',
      `application/json; a=${'b'.repeat(3_000)}`,
      'application/json, a/b',
    ],
  ].map((type) => ({ payload: '{"codes":["JFK"]}', headers: { 'content-type': type } })),
  { payload: gzipSync('{"codes":["JFK"]}'), headers: { ...JSON_HEADER, 'content-encoding': 'gzip' } },
  { payload: gzipSync(' '.repeat(1_000_000)), headers: { ...JSON_HEADER, 'content-encoding': 'gzip' } },
  { payload: '{"codes":["JFK"]}', headers: { ...JSON_HEADER, 'content-encoding': 'nonsense' } },
  { payload: Buffer.from([0xff, 0xfe, 0x7b, 0x80]), headers: JSON_HEADER },
  { payload: '{"codes":["JFK"]}', headers: {} },
]

const many = Object.fromEntries(Array.from({ length: 150 }, (_, place) => [`x-many-${place}`, 'a'.repeat(40)]))

/** Headers that bend or break a request; `{etag}` is the entity tag that the address answers with. */
export const ODD_HEADERS: Record<string, string>[] = [
  ...[
    ...[
      'text/csv',
      'text/csv;q=0',
      '*/*;q=0',
      'text/csv, application/json;q=0.5',
      'application/json;q=0, text/csv;q=0.1',
    ],
    ...[
      'text/*',
      'application/*;q=0.1, text/csv;q=0.2',
      'image/png',
      'text/html',
      ',',
      ';',
      'q=1',
      'a/b;q=NaN',
      '*',
      '/',
    ],
    ...['text/csv;q=1;q=0', 'TEXT/CSV', 'application/problem+json', 'application/json;version=2', 'a,'.repeat(2_000)],
    ...['text/csv;q=-1', 'text/csv;q=1e9', 'application/json;q=Infinity', 'constructor', '__proto__'],
  ].map((accept) => ({ accept })),
  ...[
    '{etag}',
    '"a", {etag}',
    '*',
    'W/',
    '"',
    '{etag},',
    'W/"none"',
    '\u00fc',
    ', ,',
    '"a'.repeat(2_000),
    '{etag}x',
  ].map((tag) => ({ 'if-none-match': tag })),
  { 'if-modified-since': 'never' },
  { 'if-match': '"no"' },
  { 'if-range': '{etag}', range: 'bytes=0-0,5-3' },
  ...['gzip', 'br', 'br;q=0', '*', 'gzip;q=0, *;q=0.5', 'identity;q=0', 'zstd', ';;', '\u00fc'].map((coding) => ({
    'accept-encoding': coding,
  })),
  ...[
    'junk',
    '::',
    '1.2.3.4, junk',
    '::ffff:1.2.3.4',
    'fe80::1%eth0',
    ','.repeat(500),
    '999.1.1.1',
    '1:2',
    '\u00fc',
    '',
  ].map((address) => ({ 'x-forwarded-for': address })),
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'javascript', forwarded: 'for="_x"' },
  { 'x-http-method-override': 'DELETE', 'x-original-url': '/metrics', 'x-rewrite-url': '/mcp' },
  ...['a b', '', 'x'.repeat(129), '<b>', 'trace-1', '\u00fc', '../..'].map((id) => ({ 'x-request-id': id })),
  { origin: 'null', 'access-control-request-method': 'PUT' },
  { origin: 'https://elsewhere.example', cookie: '__proto__=1; a=%zz' },
  { host: 'evil.example:99999' },
  { 'accept-version': '9.9.9', expect: 'nothing', upgrade: 'h2c', connection: 'keep-alive, x-api-key' },
  many,
]
