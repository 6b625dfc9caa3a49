/**
 * Keeps a page on a wall current without flicker: it fetches itself, and replaces its main part only when the fetch succeeds. If
 * fetching fails, it says so. The clock moves on its own. Without this script the page loads itself anew.
 */

const offline = document.getElementById('wall-offline')
const every = Number(document.getElementById('wall')?.dataset['every'] ?? 60) * 1_000
/** Failures in a row. One may be chance. */
let failures = 0

/** Offsets from UTC of the airport, in minutes, each from an instant (epoch ms) on. The rules of a screen's browser may be years old. */
type Offsets = [from_ms: number, offset_minutes: number][]

function tick(): void {
  const now = Date.now()
  for (const clock of document.querySelectorAll<HTMLElement>('time[data-offsets]')) {
    const offsets = JSON.parse(clock.dataset['offsets'] ?? '[]') as Offsets
    const offset_minutes = offsets.filter(([from_ms]) => from_ms <= now).at(-1)?.[1] ?? 0
    const text = new Date(now + offset_minutes * 60_000).toISOString().slice(11, 16)
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
