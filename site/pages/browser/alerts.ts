/** Connects this browser on /alerts. It requests the permission only when the button is pressed, and explains why it cannot. */
const connect = document.getElementById('connect')
const connectForm = connect?.querySelector('form')
const label = document.querySelector<HTMLInputElement>('#browser-label')
const status = document.getElementById('connect-state')

const showStatus = (text: string, kind = '') => {
  if (!status) return
  status.textContent = text
  status.className = kind
}

/** The reason why this browser cannot be connected at all; null when it can. */
function obstacle(): string | null {
  if (!window.isSecureContext)
    return 'Push messages need https: open this site by its https address to connect a browser.'
  if ('PushManager' in window && 'serviceWorker' in navigator && 'Notification' in window) return null
  const apple =
    /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  if (apple)
    return 'On an iPhone or iPad push messages work only from the home screen: touch Share, then “Add to Home Screen”, open Holdshort from there and come back to this page.'
  return 'This browser does not support push messages. A current Chrome, Edge, Firefox or Safari does.'
}

const DENIED =
  'Notifications of this site are blocked in this browser. Allow them in its site settings (beside the address), then load this page again.'

const base64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** The table row of this browser. The page contains only digests of push endpoints. */
async function ownRow(subscription: PushSubscription): Promise<HTMLElement | null> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint))
  return document.querySelector<HTMLElement>(`[data-browser="${base64url(digest)}"]`)
}

async function subscribe(key: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register('/service-worker.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const existing = await pushManager.getSubscription()
  const existingKey = existing?.options.applicationServerKey
  // A subscription that is bound to another key can never be sent to.
  if (existing && (!existingKey || base64url(existingKey) !== key)) await existing.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

async function connectThisBrowser(key: string, token: string): Promise<void> {
  showStatus('Waiting for your permission…')
  if ((await Notification.requestPermission()) !== 'granted') return showStatus(DENIED, 'fault')
  const subscription = await subscribe(key)
  const answer = await fetch('/alerts/browsers/connect', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'csrf-token': token },
    body: JSON.stringify({ ...subscription.toJSON(), label: label?.value ?? '' }),
  })
  if (answer.ok && !answer.redirected) return location.assign('/alerts?said=connected#browsers')
  const json = answer.headers.get('content-type')?.startsWith('application/json')
  const refusal = json ? ((await answer.json()) as { message?: string }) : null
  showStatus(refusal?.message ?? 'This page is out of date: load it again, sign in if asked, and try again.', 'fault')
}

/** Marks this browser in the table. Disconnecting it also ends its push subscription. */
function markOwn(row: HTMLElement, subscription: PushSubscription): void {
  if (connect) connect.hidden = true
  const mark = document.createElement('span')
  mark.textContent = 'this browser'
  row.querySelector('th')?.firstChild?.after(mark)
  const disconnectForm = row.querySelector<HTMLFormElement>('form[action="/alerts/browsers/disconnect"]')
  disconnectForm?.addEventListener('submit', async (event) => {
    event.preventDefault()
    await subscription.unsubscribe().catch(() => undefined)
    disconnectForm.submit()
  })
}

async function start(section: HTMLElement, form: HTMLFormElement): Promise<void> {
  const blocked = obstacle()
  if (blocked) return showStatus(blocked, 'warning')
  section.hidden = false
  if (Notification.permission === 'denied') showStatus(DENIED, 'warning')
  const registration = await navigator.serviceWorker.getRegistration()
  const existing = await registration?.pushManager.getSubscription()
  const row = existing && (await ownRow(existing))
  if (existing && row) return markOwn(row, existing)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const token = form.querySelector<HTMLInputElement>('input[name="_csrf"]')?.value ?? ''
    connectThisBrowser(section.dataset['key'] ?? '', token).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      showStatus(`This browser could not be connected: ${reason}`, 'fault')
    })
  })
}

if (connect && connectForm) void start(connect, connectForm)
