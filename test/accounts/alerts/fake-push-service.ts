import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { AlertMessage } from '../../../accounts/alerts/push-message.ts'
import { serveLocally } from '../../local-server.ts'

/** A browser as its push service sees it. */
export interface FakeBrowser {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  /** Accepted messages, decrypted. */
  messages: AlertMessage[]
  /** Headers and VAPID token of every request, accepted or not. */
  requests: { headers: IncomingHttpHeaders; claims: Record<string, unknown>; key: string }[]
  /** Errors of decrypting a message or verifying its token. */
  errors: unknown[]
  /** The answer of the push service; with `hang` it does not answer; `body` is cut off by the end of the connection. */
  answer: { status: number | 'hang'; headers?: Record<string, string>; body?: string }
}

/** Starts a local push service that verifies and decrypts messages as real services and browsers do (RFC 8030, 8188, 8291, 8292). */
export async function startFakePushService(): Promise<{ origin: string; browser: (name: string) => FakeBrowser }> {
  const browsers = new Map<string, FakeBrowser & { take: (headers: IncomingHttpHeaders, body: Buffer) => void }>()
  const origin = await serveLocally((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const browser = browsers.get(request.url ?? '')
      if (!browser) return void response.writeHead(404).end()
      browser.take(request.headers, Buffer.concat(chunks))
      const { status, headers = {}, body } = browser.answer
      if (status === 'hang') return
      response.writeHead(status, headers)
      if (body === undefined) response.end()
      else response.write(body, () => response.destroy())
    })
  })
  return {
    origin,
    browser(name) {
      const keyPair = createECDH('prime256v1')
      const p256dh = keyPair.generateKeys()
      const auth = randomBytes(16)
      const created: FakeBrowser & { take: (headers: IncomingHttpHeaders, body: Buffer) => void } = {
        subscription: {
          endpoint: `${origin}/push/${name}`,
          keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
        },
        messages: [],
        requests: [],
        errors: [],
        answer: { status: 201 },
        take(headers, body) {
          try {
            created.requests.push({ headers, ...verifiedToken(headers.authorization ?? '') })
            const text = decrypted(body, keyPair.getPrivateKey(), p256dh, auth)
            if (created.answer.status === 201) created.messages.push(JSON.parse(text) as AlertMessage)
          } catch (error) {
            created.errors.push(error)
          }
        },
      }
      browsers.set(`/push/${name}`, created)
      return created
    },
  }
}

/** The token of a VAPID header (RFC 8292). Throws unless its ES256 signature matches the key in the header. */
function verifiedToken(header: string): { claims: Record<string, unknown>; key: string } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33, 65).toString('base64url')
  const jwk = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  const signed = Buffer.from(signature, 'base64url')
  const isGood = verify('sha256', Buffer.from(`${head}.${claims}`), { key: jwk, dsaEncoding: 'ieee-p1363' }, signed)
  if (!isGood || read(head)['alg'] !== 'ES256') throw new Error('the token is not signed by its key')
  return { claims: read(claims), key }
}

/** The text of one aes128gcm record (RFC 8188), with the key agreement of RFC 8291. */
function decrypted(body: Buffer, privateKey: Buffer, publicKey: Buffer, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const recordSize = body.readUInt32BE(16)
  const keyEnd = 21 + body[20]!
  const sender = body.subarray(21, keyEnd)
  const record = body.subarray(keyEnd)
  if (record.length > recordSize) throw new Error('more than one record')
  const own = createECDH('prime256v1')
  own.setPrivateKey(privateKey)
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
  const secret = Buffer.from(hkdfSync('sha256', own.computeSecret(sender), auth, about, 32))
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${purpose}\0`, length))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = plain.lastIndexOf(2)
  if (end < 0) throw new Error('the last record has no delimiter')
  return plain.subarray(0, end).toString('utf8')
}
