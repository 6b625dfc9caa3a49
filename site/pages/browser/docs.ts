/** The documentation: buttons that copy listings, and forms that try a call with the visitor's key, which stays in its field. */

const MAX_SHOWN_CHARACTERS = 200_000
const SHOWN_HEADERS = ['content-type', 'x-request-id', 'ratelimit', 'ratelimit-policy', 'retry-after', 'etag', 'link']

const within = <Found extends Element>(form: Element, name: string) =>
  form.querySelector<Found & HTMLElement>(`[data-${name}]`)

/** The request that a form describes. @throws Error that says which field must be mended */
function requestOf(form: HTMLFormElement): [url: string, init: RequestInit] {
  const { try: method = 'GET', path = '/', tool } = form.dataset
  const url = new URL(path, location.href)
  let address = decodeURI(url.pathname)
  for (const input of form.querySelectorAll<HTMLInputElement>('[data-in]')) {
    const value = input.value.trim()
    if (input.dataset.in === 'path') {
      if (value === '') throw new Error(`${input.name} is needed`)
      address = address.replace(`{${input.name}}`, encodeURIComponent(value))
    } else if (value !== '') url.searchParams.append(input.name, value)
  }
  url.pathname = address
  const headers: Record<string, string> = { accept: 'application/json, */*;q=0.5' }
  const key = within<HTMLInputElement>(form, 'key')?.value.trim()
  if (key !== undefined && key !== '') headers.authorization = `Bearer ${key}`
  const text = within<HTMLTextAreaElement>(form, 'body')?.value
  if (text === undefined) return [url.href, { method, headers, credentials: 'omit' }]
  headers['content-type'] = 'application/json'
  const given: unknown = JSON.parse(text)
  const body = tool ? { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: given } } : given
  return [url.href, { method, headers, credentials: 'omit', body: JSON.stringify(body) }]
}

function shown(text: string): string {
  let whole = text
  try {
    whole = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Any other text is shown as it is.
  }
  return whole.length > MAX_SHOWN_CHARACTERS ? `${whole.slice(0, MAX_SHOWN_CHARACTERS)}\n… shortened` : whole
}

async function send(form: HTMLFormElement): Promise<void> {
  const say = (name: string, text: string) => {
    const place = within(form, name)
    if (!place) return
    place.textContent = text
    const listing = place.closest('pre')
    if (listing) listing.hidden = text === ''
  }
  const outcome = within(form, 'outcome')
  if (outcome) outcome.hidden = false
  for (const name of ['took', 'headers', 'answer']) say(name, '')
  say('status', 'Sending…')
  try {
    const [url, init] = requestOf(form)
    const began = performance.now()
    const response = await fetch(url, init)
    const text = await response.text()
    say('status', `${response.status} ${response.statusText}`)
    say('took', `${init.method} ${url.replace(location.origin, '')}, ${Math.round(performance.now() - began)} ms`)
    const headers = SHOWN_HEADERS.flatMap((name) =>
      response.headers.has(name) ? [`${name}: ${response.headers.get(name)}`] : [],
    )
    say('headers', headers.join('\n'))
    say('answer', shown(text))
  } catch (error) {
    say('status', error instanceof SyntaxError ? 'The body is not JSON.' : `Not sent: ${(error as Error).message}`)
  }
}

for (const note of document.querySelectorAll<HTMLElement>('[data-without-script]')) note.hidden = true
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-try]')) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form)
  })
}
/** Registers for a free key and puts it into the field. It is shown nowhere else, so it is readable there. */
async function getKey(button: HTMLButtonElement, field: HTMLInputElement): Promise<void> {
  button.disabled = true
  const answer = await fetch('/api/agent/register', {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ agent_name: 'Documentation' }),
  }).catch(() => null)
  const registered = answer?.ok ? ((await answer.json()) as { api_key: string }) : null
  button.disabled = false
  if (!registered) {
    button.textContent = answer?.status === 429 ? 'Not now: too many keys today' : 'Not now: try again'
    return
  }
  field.value = registered.api_key
  field.type = 'text'
  button.textContent = 'Here it is: copy it, it is shown once'
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-get-key]')) {
  const field = button.closest('form')?.querySelector<HTMLInputElement>('[data-key]')
  if (field) button.addEventListener('click', () => void getKey(button, field))
}
// A page that the browser keeps for its back button must not keep the key.
addEventListener('pagehide', () => {
  for (const field of document.querySelectorAll<HTMLInputElement>('[data-key]')) field.value = ''
})

for (const code of document.querySelectorAll<HTMLElement>('.doc pre > code:not([data-headers], [data-answer])')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', `Copy: ${code.parentElement?.getAttribute('aria-label') ?? 'the listing'}`)
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent ?? '')
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2_000)
  })
  const listing = code.parentElement
  const around = document.createElement('div')
  around.className = 'copyable'
  listing?.replaceWith(around)
  around.append(...(listing ? [listing] : []), button)
}
