/**
 * Passkeys: <button data-passkey="new|use"> makes or uses one and sends the form it stands in with the answer in its field
 * `credential`. Where the browser can, a passkey is offered in the email field too.
 */

const BINARY = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'] as const

const bytes = (text: string) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0))

const text = (buffer: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')

type Listed = { id: string; type: 'public-key'; transports?: AuthenticatorTransport[] }
const listed = (credentials: Listed[] = []) =>
  credentials.map((credential) => ({ ...credential, id: bytes(credential.id) }))

async function optionsOf(kind: 'creation' | 'request') {
  const answer = await fetch(`/passkey/${kind}-options`)
  if (!answer.ok) throw new Error(`no ${kind} options: ${answer.status}`)
  return answer.json()
}

async function make(email: string): Promise<Credential | null> {
  const options = await optionsOf('creation')
  const name = options.user.name || email
  const user = { ...options.user, id: bytes(options.user.id), name, displayName: name }
  const excludeCredentials = listed(options.excludeCredentials)
  return navigator.credentials.create({
    publicKey: { ...options, user, challenge: bytes(options.challenge), excludeCredentials },
  })
}

/** Only one question is put at a time: a new one takes the place of the one in the email field. */
let asking = new AbortController()

async function use(mediation: 'conditional' | 'optional'): Promise<Credential | null> {
  asking.abort()
  asking = new AbortController()
  const { signal } = asking
  const options = await optionsOf('request')
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    allowCredentials: listed(options.allowCredentials),
  }
  return navigator.credentials.get({ publicKey, mediation, signal })
}

function send(form: HTMLFormElement, credential: Credential | null): void {
  if (!(credential instanceof PublicKeyCredential)) return
  const { id, rawId, type, response } = credential
  const fields = response as AuthenticatorAttestationResponse & AuthenticatorAssertionResponse
  const binary = BINARY.filter((name) => fields[name]).map((name) => [name, text(fields[name] as ArrayBuffer)])
  const transports = fields.getTransports?.() ?? []
  const answer = { id, rawId: text(rawId), type, response: { ...Object.fromEntries(binary), transports } }
  const field = form.elements.namedItem('credential') as HTMLInputElement
  field.value = JSON.stringify(answer)
  form.submit()
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
    if (isNew && email instanceof HTMLInputElement && !email.reportValidity()) return
    try {
      send(form, await (isNew ? make(email instanceof HTMLInputElement ? email.value : '') : use('optional')))
    } catch (error) {
      const known = error instanceof DOMException && error.name === 'InvalidStateError'
      const said = known
        ? 'This device has a passkey for this account already.'
        : 'No passkey was used. Try again, or use a password.'
      if (fault) fault.textContent = said
    }
  })
  if (!isNew && email && (await PublicKeyCredential.isConditionalMediationAvailable?.())) {
    const offer = () =>
      use('conditional').then(
        (credential) => send(form, credential),
        () => undefined,
      )
    offer()
    // A challenge is good for five minutes, and a page may stand open for longer.
    setInterval(offer, 240_000)
  }
}
