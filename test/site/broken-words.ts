import type { Page } from 'playwright-core'

/** What a pattern finds in the texts of elements and begins on one line and ends on another. */
export const broken = (page: Page, pattern: RegExp, elements: string) =>
  page.evaluate(`[...document.querySelectorAll(${JSON.stringify(elements)})].flatMap((element) => [...element.childNodes])
    .filter((node) => node.nodeType === Node.TEXT_NODE).flatMap((node) =>
      [...node.data.matchAll(/${pattern.source}/gu)].filter(({ 0: { length }, index }) => {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + length)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
      }).map(([found]) => found))`) as Promise<string[]>
