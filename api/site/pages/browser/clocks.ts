/**
 * Shows times as the browser's region writes them: `3:15 am` where it counts to twelve, and instants by the reader's own clock.
 * Without this script times are of 24 hours and instants of UTC.
 */

const isTwelve = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hour12 === true
/** The pages are in English, whatever the browser speaks. */
const LANGUAGE = isTwelve ? 'en-US' : 'en-GB'

/** `03:15`, but neither a part of an instant as machines write it nor an offset such as `+05:30`. */
const CLOCK = /(?<![\dT:+−-])([01]\d|2[0-3]):([0-5]\d)(?![\d:]|\s?[ap]m)/g
/** Texts that a machine reads, or that are shown by the reader's own clock already. */
const AS_WRITTEN = 'pre, code, textarea, script, style, time.moment'

function showMoment(time: HTMLTimeElement): void {
  const at = new Date(time.dateTime)
  const now = new Date()
  const isYear = at.getFullYear() === now.getFullYear()
  const text = at.toLocaleString(LANGUAGE, {
    ...(at.toDateString() !== now.toDateString() && { day: 'numeric', month: 'short' }),
    ...(!isYear && { year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  })
  time.textContent = text.replace(/\s([AP])M$/, (_, half: string) => `\u00a0${half.toLowerCase()}m`)
}

/** The axis of a chart has no room for minutes that are none. */
function showClocks(text: Text): void {
  const parent = text.parentElement
  if (parent?.closest(AS_WRITTEN)) return
  const isAxis = parent?.closest('svg') !== null
  const shown = text.data.replace(CLOCK, (_, hour: string, minute: string) => {
    const minutes = isAxis && minute === '00' ? '' : `:${minute}`
    return `${Number(hour) % 12 || 12}${minutes}\u00a0${Number(hour) < 12 ? 'am' : 'pm'}`
  })
  if (shown !== text.data) text.data = shown
}

function showTimes(root: Node): void {
  if (root instanceof Element)
    for (const time of root.querySelectorAll<HTMLTimeElement>('time.moment')) showMoment(time)
  if (!isTwelve) return
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) showClocks(text as Text)
  if (root instanceof Text) showClocks(root)
}

showTimes(document.body)
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) showTimes(node)
}).observe(document.body, { childList: true, subtree: true })
