import { countsToTwelve, inTwelveHours } from '../../../answers/statements/clock-style.ts'

/** Shows times as the browser's region writes them: `3:15 am` on a twelve-hour clock. Without this script they have 24 hours. */

/** Texts that a machine reads. */
const AS_WRITTEN = 'pre, code, textarea, script, style'

function showClocks(text: Text): void {
  const parent = text.parentElement
  if (parent?.closest(AS_WRITTEN)) return
  const shown = inTwelveHours(text.data, Boolean(parent?.closest('svg')))
  if (shown !== text.data) text.data = shown
}

function showAll(root: Node): void {
  if (root instanceof Text) showClocks(root)
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) showClocks(text as Text)
}

if (countsToTwelve()) {
  showAll(document.body)
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) showAll(node)
  }).observe(document.body, { childList: true, subtree: true })
}
