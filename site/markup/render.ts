import type { VNode } from 'preact'
import { render } from 'preact-render-to-string'
import { terminalLines } from '../../config/untrusted-text.ts'

/**
 * The text of a page or a picture. This is the only place where markup becomes text; it escapes every value, and characters
 * that are invisible or change the direction of the text are shown as escapes.
 */
export const renderMarkup = (node: VNode): string => terminalLines(render(node))
