/**
 * Keeps a page on a wall current without flicker: it fetches itself, and replaces its main part only when that has come. While
 * nothing can be fetched it says so. The clock moves on its own. Without this script the page loads itself anew.
 */

const offline = document.getElementById('wall-offline')
const every = Number(document.getElementById('wall')?.dataset['every'] ?? 60) * 1_000
/** Failures in a row. One may be chance. */
let failures = 0

function tick(): void {
  for (const clock of document.querySelectorAll<HTMLElement>('time[data-clock]')) {
    const options = { timeZone: clock.dataset['clock'] ?? 'UTC', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
    const text = new Date().toLocaleTimeString('en-GB', options as Intl.DateTimeFormatOptions)
    if (clock.textContent !== text) clock.textContent = text
  }
}

async function refresh(): Promise<void> {
  try {
    const answer = await fetch(location.href, { cache: 'no-cache', signal: AbortSignal.timeout(20_000) })
    if (!answer.ok) throw new Error(String(answer.status))
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const next = fresh.getElementById('wall')
    const present = document.getElementById('wall')
    if (!next || !present) throw new Error('not a wall')
    const style = fresh.querySelector<HTMLLinkElement>('link[rel=stylesheet]')?.getAttribute('href')
    // A new version of the site has a new style: the page is loaded as a whole.
    if (style !== document.querySelector('link[rel=stylesheet]')?.getAttribute('href')) return location.reload()
    failures = 0
    if (offline) offline.hidden = true
    present.replaceChildren(...next.childNodes)
    tick()
  } catch {
    failures += 1
    if (offline && (failures > 1 || !navigator.onLine)) offline.hidden = false
  }
}

window.addEventListener('offline', () => {
  if (offline) offline.hidden = false
})
window.addEventListener('online', () => void refresh())
setInterval(refresh, every)
setInterval(tick, 1_000)
tick()
