/** Shows the push messages of alerts, and opens the site when one is clicked. It caches nothing and intercepts no request. */

// All these scripts are compiled with the types of pages, which conflict with those of service workers.
interface ExtendableEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void
}
interface PushEvent extends ExtendableEvent {
  data: { json: () => unknown } | null
}
interface NotificationEvent extends ExtendableEvent {
  notification: Notification
}
interface SubscriptionChange extends ExtendableEvent {
  oldSubscription?: PushSubscription | null
  newSubscription?: PushSubscription | null
}
interface WindowClient {
  url: string
  focus: () => Promise<unknown>
}
interface Worker {
  registration: ServiceWorkerRegistration
  location: Location
  clients: {
    matchAll: (options: { type: 'window'; includeUncontrolled: boolean }) => Promise<WindowClient[]>
    openWindow: (url: string) => Promise<unknown>
    claim: () => Promise<void>
  }
  skipWaiting: () => Promise<void>
  addEventListener: {
    (name: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void
    (name: 'push', listener: (event: PushEvent) => void): void
    (name: 'pushsubscriptionchange', listener: (event: SubscriptionChange) => void): void
    (name: 'notificationclick', listener: (event: NotificationEvent) => void): void
  }
}
const worker = self as unknown as Worker

/** The message of the server. Missing fields get default texts, because browsers do not allow a push that shows nothing. */
interface Message {
  title?: string
  body?: string
  url?: string
  tag?: string
  at?: string
}

function readMessage(event: PushEvent): Message {
  try {
    return (event.data?.json() ?? {}) as Message
  } catch {
    return {}
  }
}

/** The address to open: an address of this site; /alerts for any other value. */
function pageUrl(url: unknown): string {
  const target = new URL(typeof url === 'string' ? url : '/alerts', worker.location.origin)
  return target.origin === worker.location.origin ? target.href : `${worker.location.origin}/alerts`
}

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener('push', (event) => {
  const { title = 'Holdshort', body = 'An alert has fired.', url, tag = 'alert', at } = readMessage(event)
  // `renotify` and `timestamp` are in the standard but missing from the compiler's types.
  const options = { body, tag, icon: '/icons/192.png', renotify: true, timestamp: Date.parse(at ?? '') || Date.now() }
  event.waitUntil(worker.registration.showNotification(title, { ...options, data: { url: pageUrl(url) } } as object))
})

/** The browser has ended its push subscription: the service is given the new one, or its alerts would end without a word. */
worker.addEventListener('pushsubscriptionchange', (event) => {
  const { oldSubscription: old, newSubscription } = event
  const renew = async () => {
    if (!old) return
    const { userVisibleOnly, applicationServerKey } = old.options
    const subscription =
      newSubscription ?? (await worker.registration.pushManager.subscribe({ userVisibleOnly, applicationServerKey }))
    await fetch('/alerts/browsers/renew', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ former_endpoint: old.endpoint, ...subscription.toJSON() }),
    })
  }
  event.waitUntil(renew())
})

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = (event.notification.data as { url: string }).url
  const open = async () => {
    const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const openPage = pages.find((page) => page.url.split('?')[0] === url)
    await (openPage ? openPage.focus() : worker.clients.openWindow(url))
  }
  event.waitUntil(open())
})
