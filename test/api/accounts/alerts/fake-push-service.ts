import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'
import type { AlertMessage } from '../../../../api/accounts/alerts/push-message.ts'

/** A browser as its push service knows it, with the keys that only it holds. */
export interface FakeBrowser {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  /** Messages that reached it, decrypted; what cannot be decrypted or is not signed by VAPID throws there. */
  messages: AlertMessage[]
  /** Headers and token of every request for it, taken or not. */
  requests: { headers: IncomingHttpHeaders; claims: Record<string, unknown>; key: string }[]
  errors: unknown[]
  /** What the push service answers: a status, further headers; `hang` for nothing at all. */
  answer: { status: number | 'hang'; headers?: Record<string, string> }
}

/** A push service on this machine that does what a real one and the browsers behind it do (RFC 8030, 8188, 8291, 8292). */
export async function startFakePushService(): Promise<{ origin: string; browser: (name: string) => FakeBrowser }> {
  const browsers = new Map<string, FakeBrowser & { take: (headers: IncomingHttpHeaders, body: Buffer) => void }>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const browser = browsers.get(request.url ?? '')
      if (!browser) return void response.writeHead(404).end()
      browser.take(request.headers, Buffer.concat(chunks))
      const { status, headers = {} } = browser.answer
      if (status !== 'hang') response.writeHead(status, headers).end()
    })
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    browser(name) {
      const keyPair = createECDH('prime256v1')
      const p256dh = keyPair.generateKeys()
      const auth = randomBytes(16)
      const made: FakeBrowser & { take: (headers: IncomingHttpHeaders, body: Buffer) => void } = {
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
            made.requests.push({ headers, ...verifiedToken(headers.authorization ?? '') })
            const text = decrypted(body, keyPair.getPrivateKey(), p256dh, auth)
            if (made.answer.status === 201) made.messages.push(JSON.parse(text) as AlertMessage)
          } catch (error) {
            made.errors.push(error)
          }
        },
      }
      browsers.set(`/push/${name}`, made)
      return made
    },
  }
}

/** The token of a VAPID header, its ES256 signature verified with the key beside it (RFC 8292). */
function verifiedToken(header: string): { claims: Record<string, unknown>; key: string } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33, 65)].map((part) => part.toString('base64url'))
  const jwk = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' })
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  const signed = Buffer.from(signature, 'base64url')
  const isGood = verify('sha256', Buffer.from(`${head}.${claims}`), { key: jwk, dsaEncoding: 'ieee-p1363' }, signed)
  if (!isGood || read(head)['alg'] !== 'ES256') throw new Error('the token is not signed by its key')
  return { claims: read(claims), key }
}

/** The text of one aes128gcm record (RFC 8188), its key agreed on as RFC 8291 says. */
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
