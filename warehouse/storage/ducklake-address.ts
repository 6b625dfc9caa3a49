import { type StoreCredentials, type StoreSettings, storeAddress } from '../objects/s3.ts'
import { quoteText } from './sql.ts'

/** SQL of the access to the bucket, but for its address. */
export function secretSql(settings: StoreSettings, credentials: StoreCredentials): string {
  const { endpoint, region, addressing } = storeAddress(settings)
  const parts = [
    'TYPE s3',
    `KEY_ID ${quoteText(credentials.accessKeyId)}`,
    `SECRET ${quoteText(credentials.secretAccessKey)}`,
    ...(credentials.sessionToken === undefined ? [] : [`SESSION_TOKEN ${quoteText(credentials.sessionToken)}`]),
    `REGION ${quoteText(region)}`,
    ...(endpoint ? [`USE_SSL ${endpoint.protocol === 'https:'}`] : []),
    `URL_STYLE ${quoteText(addressing === 'path' ? 'path' : 'vhost')}`,
  ]
  return `CREATE OR REPLACE SECRET holdshort_bucket (${parts.join(', ')})`
}

/**
 * DuckLake 1.5.5 deletes the files of a transaction whose COMMIT fails, even if PostgreSQL made the COMMIT and its answer was
 * lost: then the catalog names files that are gone, and nothing can be read any more. It deletes them outside of any connection
 * of ours. So each connection gets the address of the bucket for itself, and what is outside of them has an address that nobody
 * can listen at. What a failed transaction leaves is deleted by the checkpoint, once no version names it.
 */
export const NO_BUCKET = "SET GLOBAL s3_endpoint = '127.0.0.1:0'; SET GLOBAL http_retries = 0"
export const bucketSql = (scope: 'SESSION' | 'GLOBAL', settings: StoreSettings) =>
  `SET ${scope} s3_endpoint = ${quoteText(storeAddress(settings).endpoint?.host ?? '')}; SET ${scope} http_retries = 3`

/** A connection that was cut off is given up after some seconds. */
const GIVE_UP = {
  connect_timeout: '5',
  keepalives_idle: '5',
  keepalives_interval: '2',
  keepalives_count: '3',
  tcp_user_timeout: '10000',
}

/**
 * An address as libpq's parameters, with further ones and without the password: the engine shows the address of what is attached, in
 * `duckdb_databases()` and in its errors, and the password only to PostgreSQL.
 */
export function connectionText(url: string, parameters: Record<string, string>): string {
  const { hostname, port, pathname, username, searchParams } = new URL(url)
  const all = {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? '5432' : port,
    dbname: decodeURIComponent(pathname.slice(1)),
    user: decodeURIComponent(username),
    ...Object.fromEntries(searchParams),
    ...GIVE_UP,
    ...parameters,
  }
  return Object.entries(all)
    .map(([name, value]) => `${name}='${value.replaceAll(/[\\']/g, '\\$&')}'`)
    .join(' ')
}

export const passwordSql = (url: string) =>
  `CREATE OR REPLACE SECRET holdshort_catalog (TYPE postgres, PASSWORD ${quoteText(decodeURIComponent(new URL(url).password))})`
