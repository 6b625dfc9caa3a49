/**
 * Makes `<button data-passkey="new|use">` create or use a passkey and send its form with the result in the field `credential`. The service
 * checks a form before a passkey is created for it, as one that it refuses would stay on the device; a field `proof` then holds the use of
 * an earlier passkey.
 * If the browser supports it, a passkey is also offered in the email field.
 */

const BINARY = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'] as const

const bytes = (text: string) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0))

const text = (buffer: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')

type CredentialDescriptor = { id: string; type: 'public-key'; transports?: AuthenticatorTransport[] }
const withBytes = (credentials: CredentialDescriptor[] = []) =>
  credentials.map((credential) => ({ ...credential, id: bytes(credential.id) }))

/** The service does not allow what the form asks for; the message says why. */
class Refusal extends Error {}

async function fetchOptions(kind: 'creation' | 'request', form?: HTMLFormElement) {
  const body = form && new URLSearchParams(new FormData(form) as unknown as Record<string, string>)
  const headers = { accept: 'application/json' }
  const answer = await fetch(`/passkey/${kind}-options`, body ? { method: 'POST', headers, body } : { headers })
  if (answer.ok) return answer.json()
  const { detail, errors } = await answer.json()
  throw new Refusal(errors?.[0]?.message ?? detail)
}

async function createPasskey(form: HTMLFormElement): Promise<Credential | null> {
  const options = await fetchOptions('creation', form)
  const user = { ...options.user, id: bytes(options.user.id), displayName: options.user.name }
  const excludeCredentials = withBytes(options.excludeCredentials)
  return navigator.credentials.create({
    publicKey: { ...options, user, challenge: bytes(options.challenge), excludeCredentials },
  })
}

/** The browser allows one passkey request at a time, so a new one replaces the one in the email field. */
let pending = new AbortController()

async function usePasskey(mediation: 'conditional' | 'optional'): Promise<Credential | null> {
  pending.abort()
  pending = new AbortController()
  const { signal } = pending
  const options = await fetchOptions('request')
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    allowCredentials: withBytes(options.allowCredentials),
  }
  return navigator.credentials.get({ publicKey, mediation, signal })
}

/** Writes the answer of a passkey into a field; false when there is none. */
function fill(field: unknown, credential: Credential | null): boolean {
  if (!(credential instanceof PublicKeyCredential && field instanceof HTMLInputElement)) return false
  const { id, rawId, type, response } = credential
  const fields = response as AuthenticatorAttestationResponse & AuthenticatorAssertionResponse
  const binary = BINARY.filter((name) => fields[name]).map((name) => [name, text(fields[name] as ArrayBuffer)])
  const transports = fields.getTransports?.() ?? []
  const answer = { id, rawId: text(rawId), type, response: { ...Object.fromEntries(binary), transports } }
  field.value = JSON.stringify(answer)
  return true
}

function send(form: HTMLFormElement, credential: Credential | null): void {
  if (fill(form.elements.namedItem('credential'), credential)) form.submit()
}

function faultText(error: unknown): string {
  if (error instanceof Refusal) return `${error.message[0]?.toUpperCase()}${error.message.slice(1)}.`
  return error instanceof DOMException && error.name === 'InvalidStateError'
    ? 'This device already has a passkey for this account.'
    : 'No passkey was used. Try again, or use a password.'
}

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-passkey]')) {
  const form = button.form
  if (!form || !window.PublicKeyCredential) continue
  const isNew = button.dataset['passkey'] === 'new'
  const email = form.elements.namedItem('email')
  const fault = form.querySelector('[data-passkey-fault]')
  button.hidden = false
  button.addEventListener('click', async () => {
    if (fault) fault.textContent = ''
    const needed = isNew ? [email, form.elements.namedItem('passkey_password')] : []
    if (needed.some((field) => field instanceof HTMLInputElement && !field.reportValidity())) return
    try {
      const proof = form.elements.namedItem('proof')
      if (proof && !fill(proof, await usePasskey('optional'))) return
      send(form, await (isNew ? createPasskey(form) : usePasskey('optional')))
    } catch (error) {
      if (fault) fault.textContent = faultText(error)
    }
  })
  if (!isNew && email && (await PublicKeyCredential.isConditionalMediationAvailable?.())) {
    const offer = () =>
      usePasskey('conditional').then(
        (credential) => send(form, credential),
        () => undefined,
      )
    offer()
    // A challenge is valid for five minutes, and a page may stay open longer.
    setInterval(offer, 240_000)
  }
}
