/** Shows the push messages of alerts, and opens the site when one is touched. It caches nothing and answers no request. */

// The types of service workers clash with those of pages, which all these scripts are compiled with.
interface Lasting extends Event {
  waitUntil: (work: Promise<unknown>) => void
}
interface PushEvent extends Lasting {
  data: { json: () => unknown } | null
}
interface NotificationEvent extends Lasting {
  notification: Notification
}
interface OpenPage {
  url: string
  focus: () => Promise<unknown>
}
interface Worker {
  registration: ServiceWorkerRegistration
  location: Location
  clients: {
    matchAll: (which: { type: 'window'; includeUncontrolled: boolean }) => Promise<OpenPage[]>
    openWindow: (url: string) => Promise<unknown>
    claim: () => Promise<void>
  }
  skipWaiting: () => Promise<void>
  addEventListener: {
    (name: 'install' | 'activate', listener: (event: Lasting) => void): void
    (name: 'push', listener: (event: PushEvent) => void): void
    (name: 'notificationclick', listener: (event: NotificationEvent) => void): void
  }
}
const worker = self as unknown as Worker

/** What the server sends; whatever is missing has a plain text in its place, as a push that shows nothing is not allowed. */
interface Message {
  title?: string
  body?: string
  url?: string
  tag?: string
  at?: string
}

function messageOf(event: PushEvent): Message {
  try {
    return (event.data?.json() ?? {}) as Message
  } catch {
    return {}
  }
}

/** A path of this site; anything else leads to the alerts. */
function pageOf(url: unknown): string {
  const wanted = new URL(typeof url === 'string' ? url : '/alerts', worker.location.origin)
  return wanted.origin === worker.location.origin ? wanted.href : `${worker.location.origin}/alerts`
}

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener('push', (event) => {
  const { title = 'Holdshort', body = 'An alert has fired.', url, tag = 'alert', at } = messageOf(event)
  // `renotify` and `timestamp` are of the standard, but not of the compiler's list.
  const options = { body, tag, icon: '/favicon.svg', renotify: true, timestamp: Date.parse(at ?? '') || Date.now() }
  event.waitUntil(worker.registration.showNotification(title, { ...options, data: { url: pageOf(url) } } as object))
})

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = (event.notification.data as { url: string }).url
  const open = async () => {
    const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const there = pages.find((page) => page.url.split('?')[0] === url)
    await (there ? there.focus() : worker.clients.openWindow(url))
  }
  event.waitUntil(open())
})
