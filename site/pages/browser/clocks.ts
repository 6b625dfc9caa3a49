/** Shows times as the browser's region writes them: `3:15 am` where it counts to twelve. Without this script they are of 24 hours. */

const isTwelve =
  new Intl.DateTimeFormat(undefined, { hour: 'numeric', timeZone: 'UTC' }).resolvedOptions().hour12 === true

/** `03:15`, but neither a part of an instant as machines write it nor an offset such as `+05:30`. */
const CLOCK = /(?<![\dT:+−-])([01]\d|2[0-3]):([0-5]\d)(?!:?\d|\s?[ap]m)/g
/** Texts that a machine reads. */
const AS_WRITTEN = 'pre, code, textarea, script, style'

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

function showAll(root: Node): void {
  if (root instanceof Text) showClocks(root)
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) showClocks(text as Text)
}

if (isTwelve) {
  showAll(document.body)
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) showAll(node)
  }).observe(document.body, { childList: true, subtree: true })
}
