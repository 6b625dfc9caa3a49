import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** Values that a test can make the authenticator send wrongly. */
export interface WrongFields {
  origin?: string
  rpId?: string
  counter?: number
  challenge?: string
}

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest()
const url64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

/** A software authenticator with one ES256 passkey. It answers in the form that the page's script posts. */
export function fakeAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let uses = 0
  const authenticatorData = (
    { rpId = new URL(origin).hostname, counter = ++uses }: WrongFields,
    flags: number,
    rest: Buffer,
  ) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, rest])
  }
  const clientData = (type: string, challenge: string, wrong: WrongFields) =>
    Buffer.from(JSON.stringify({ type, challenge: wrong.challenge ?? challenge, origin: wrong.origin ?? origin }))
  const posted = (response: Record<string, unknown>) =>
    JSON.stringify({ id: url64(id), rawId: url64(id), type: 'public-key', response })
  return {
    id: url64(id),
    /** Answers `/passkey/creation-options`. */
    create(challenge: string, wrong: WrongFields = {}): string {
      // A COSE key: elliptic curve (1: 2), ES256 (3: -7), P-256 (-1: 1) and its coordinates.
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ])
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, isoCBOR.encode(key)])
      const authData = new Uint8Array(authenticatorData(wrong, 0x45, credential))
      const attestation = new Map<string, string | Map<string, string> | Uint8Array>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', authData],
      ])
      return posted({
        clientDataJSON: url64(clientData('webauthn.create', challenge, wrong)),
        attestationObject: url64(isoCBOR.encode(attestation as never)),
        transports: ['internal'],
      })
    },
    /** Answers `/passkey/request-options`. */
    use(challenge: string, wrong: WrongFields = {}): string {
      const authData = authenticatorData(wrong, 0x05, Buffer.alloc(0))
      const client = clientData('webauthn.get', challenge, wrong)
      const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), privateKey)
      return posted({
        clientDataJSON: url64(client),
        authenticatorData: url64(authData),
        signature: url64(signature),
      })
    },
  }
}
