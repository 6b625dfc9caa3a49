/** Connects this browser on /alerts: asks for the permission only when the button is pressed, and says why it cannot. */
const connect = document.getElementById('connect')
const connectForm = connect?.querySelector('form')
const label = document.querySelector<HTMLInputElement>('#browser-label')
const said = document.getElementById('connect-state')

const say = (text: string, kind = '') => {
  if (!said) return
  said.textContent = text
  said.className = kind
}

/** Why this browser cannot be connected at all; null when it can. */
function obstacle(): string | null {
  if (!window.isSecureContext)
    return 'Push messages need https: open this site by its https address to connect a browser.'
  if ('PushManager' in window && 'serviceWorker' in navigator && 'Notification' in window) return null
  const apple =
    /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  if (apple)
    return 'On an iPhone or iPad push messages work only from the home screen: touch Share, then “Add to Home Screen”, open Holdshort from there and come back to this page.'
  return 'This browser cannot take push messages. A current Chrome, Edge, Firefox or Safari can.'
}

const DENIED =
  'Notifications of this site are blocked in this browser. Allow them in its site settings (beside the address), then load this page again.'

const base64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** The row of this browser among those connected; the server tells digests of addresses only. */
async function ownRow(subscription: PushSubscription): Promise<HTMLElement | null> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint))
  return document.querySelector<HTMLElement>(`[data-browser="${base64url(digest)}"]`)
}

async function subscribe(key: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register('/service-worker.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const held = await pushManager.getSubscription()
  const heldKey = held?.options.applicationServerKey
  // One that is bound to another key of this site can never be sent to.
  if (held && (!heldKey || base64url(heldKey) !== key)) await held.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

async function connectThis(key: string, token: string): Promise<void> {
  say('Asking this browser…')
  if ((await Notification.requestPermission()) !== 'granted') return say(DENIED, 'fault')
  const subscription = await subscribe(key)
  const answer = await fetch('/alerts/browsers/connect', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'csrf-token': token },
    body: JSON.stringify({ ...subscription.toJSON(), label: label?.value ?? '' }),
  })
  if (answer.ok && !answer.redirected) return location.assign('/alerts?said=connected#browsers')
  const json = answer.headers.get('content-type')?.startsWith('application/json')
  const told = json ? ((await answer.json()) as { message?: string }) : null
  say(told?.message ?? 'This page is old: load it again, sign in if you are asked to, and try once more.', 'fault')
}

/** Marks this browser in the list; disconnecting it also ends its subscription. */
function markOwn(row: HTMLElement, subscription: PushSubscription): void {
  if (connect) connect.hidden = true
  const mark = document.createElement('span')
  mark.textContent = 'this browser'
  row.querySelector('th')?.firstChild?.after(mark)
  const leave = row.querySelector<HTMLFormElement>('form[action="/alerts/browsers/disconnect"]')
  leave?.addEventListener('submit', async (event) => {
    event.preventDefault()
    await subscription.unsubscribe().catch(() => undefined)
    leave.submit()
  })
}

async function begin(section: HTMLElement, form: HTMLFormElement): Promise<void> {
  const blocked = obstacle()
  if (blocked) return say(blocked, 'warning')
  section.hidden = false
  if (Notification.permission === 'denied') say(DENIED, 'warning')
  const registration = await navigator.serviceWorker.getRegistration()
  const held = await registration?.pushManager.getSubscription()
  const row = held && (await ownRow(held))
  if (held && row) return markOwn(row, held)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const token = form.querySelector<HTMLInputElement>('input[name="_csrf"]')?.value ?? ''
    connectThis(section.dataset['key'] ?? '', token).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      say(`This browser could not be connected: ${why}`, 'fault')
    })
  })
}

if (connect && connectForm) void begin(connect, connectForm)
