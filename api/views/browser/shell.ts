import { countsToTwelve, inTwelveHours } from '../../../answers/statements/clock-style.ts'
import { HIDDEN_ALL } from '../../../config/hidden-characters.ts'
import { isObject } from '../../../config/json-object.ts'

/**
 * The frame of the pictures that a host of the MCP Apps extension (spec 2026-01-26) shows beside a tool's answer. It speaks the
 * extension's messages with the host, follows its theme, and builds the picture from a tree of elements that came with the answer. It
 * asks nobody for anything. Every text from outside is set as text.
 */

type Fields = Record<string, unknown>

const fields = (value: unknown): Fields => (isObject(value) ? value : {})
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const MAX_TEXT = 2_000
/** Text from outside: without characters that are invisible or change its direction, and never endless. */
function plain(value: unknown): string {
  if (typeof value !== 'string') return ''
  const text = value.replace(HIDDEN_ALL, ' ')
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

/** Whether the reader counts hours to twelve: by the host's region, else by the browser's. */
let isTwelve = countsToTwelve()
function readLocale(locale: unknown): void {
  try {
    if (typeof locale === 'string') isTwelve = countsToTwelve(locale)
  } catch {
    // A tag that no region has.
  }
}
/** A text as the reader sees it. */
const shownText = (value: unknown, isOfChart = false): string =>
  isTwelve ? inTwelveHours(plain(value), isOfChart) : plain(value)

const SVG = 'http://www.w3.org/2000/svg'
const words = (text: string) => new Set(text.split(' '))
const SVG_TAGS = words('svg g path rect line circle text tspan title desc')
const HTML_TAGS = words(
  'abbr b bdi code details div figcaption figure h1 h2 header i li ol p section small span strong summary table tbody td th thead tr ul',
)
/** Attributes of free text, and those of words, numbers and colours. */
const TEXTS = words('aria-label data-column title')
const VALUES = words(
  'aria-hidden aria-labelledby class cx cy d dx dy fill fill-opacity font-size font-variant font-weight height id paint-order r role rx ry scope stroke stroke-dasharray stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width tabindex text-anchor transform viewBox width x x1 x2 y y1 y2',
)
/** A value without an address, such as that of a paint elsewhere. */
const isValue = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w .,%#()+-]*$/.test(value) && !/url/i.test(value)

/** A part of the tree as nodes: a text, or an element. An element that is not on the list is left out, and its children stay. */
function nodesOf(part: unknown, isOfChart = false): (Node | string)[] {
  if (!Array.isArray(part)) return [shownText(part, isOfChart)]
  const [tag, attributes, ...children] = part
  const isSvg = SVG_TAGS.has(tag)
  const inside = children.flatMap((child) => nodesOf(child, isSvg))
  if (!isSvg && !HTML_TAGS.has(tag)) return inside
  const element = isSvg ? document.createElementNS(SVG, tag) : document.createElement(tag)
  for (const [name, value] of Object.entries(fields(attributes))) {
    if (TEXTS.has(name)) element.setAttribute(name, plain(value))
    else if (VALUES.has(name) && isValue(value)) element.setAttribute(name, value)
  }
  element.append(...inside)
  return [element]
}

/** A paragraph of our own words. */
function paragraph(text: string, look = ''): Element {
  const made = document.createElement('p')
  made.className = look
  made.append(text)
  return made
}

/** The shown part of an answer: its tree; without one, as if the host passes none on, or after an error, the text. */
function shownOf({ structuredContent, content, isError, _meta }: Fields): (Node | string)[] {
  const tree = isError === true ? [] : list(fields(_meta)['holdshort/view'])
  const lines = list(content).flatMap((part) => String(fields(part).text ?? '').split('\n'))
  const banner = paragraph(' Every figure is invented. Not for travel.', 'banner')
  banner.prepend(...nodesOf(['strong', {}, 'SIMULATED.']))
  const texts = lines.length > 0 ? lines : ['There is no answer to show.']
  const shown =
    tree.length > 0 ? tree.flatMap((part) => nodesOf(part)) : texts.map((text) => paragraph(shownText(text)))
  return fields(structuredContent).simulated === true ? [banner, ...shown] : shown
}

const VARIABLES = [
  '--color-background-primary',
  '--color-text-primary',
  '--color-text-secondary',
  '--color-border-primary',
]

/** Follows the host's theme and region; its colours only when all are given, because a mixture with ours might not be legible. */
function applyContext({ theme, styles, locale }: Fields): void {
  readLocale(locale)
  const { style, dataset } = document.documentElement
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  const variables = fields(fields(styles).variables)
  if (VARIABLES.every((name) => typeof variables[name] === 'string'))
    for (const name of VARIABLES) style.setProperty(name, plain(variables[name]))
  if (typeof variables['--font-sans'] === 'string') style.setProperty('--font-sans', plain(variables['--font-sans']))
}

/** The number of the one request to the host. */
const INITIALIZE = 1
const main = document.querySelector('main')!
let shown: Fields | null = null

const send = (message: Fields) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
const say = (text: string) => {
  if (shown === null) main.replaceChildren(paragraph(text, 'quiet'))
}
const received: Record<string, (params: Fields) => void> = {
  'ui/notifications/tool-input': ({ arguments: input }) => {
    const { iata, airports } = fields(input)
    say(`Looking up ${[iata, ...list(airports)].map(plain).filter(Boolean).join(', ') || 'the airport'}…`)
  },
  'ui/notifications/tool-result': (result) => {
    shown = result
    main.replaceChildren(...shownOf(result))
  },
  'ui/notifications/tool-cancelled': ({ reason }) => say(`The call was cancelled. ${plain(reason)}`),
  'ui/notifications/host-context-changed': (context) => {
    applyContext(context)
    if (shown !== null && context.locale !== undefined) main.replaceChildren(...shownOf(shown))
  },
}
addEventListener('message', ({ source, data }) => {
  if (source !== parent || !isObject(data) || data.jsonrpc !== '2.0') return
  const { id, method, params, result } = data
  if (typeof method !== 'string') {
    if (id !== INITIALIZE) return
    applyContext(fields(fields(result).hostContext))
    send({ method: 'ui/notifications/initialized', params: {} })
  } else if (id === undefined) received[method]?.(fields(params))
  else if (method === 'ping' || method === 'ui/resource-teardown') send({ id, result: {} })
  else send({ id, error: { code: -32601, message: 'Method not found' } })
})
new ResizeObserver(() => {
  const { width, height } = document.body.getBoundingClientRect()
  send({ method: 'ui/notifications/size-changed', params: { width: Math.ceil(width), height: Math.ceil(height) } })
}).observe(main)
send({
  id: INITIALIZE,
  method: 'ui/initialize',
  params: {
    protocolVersion: '2026-01-26',
    appInfo: { name: document.title, version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  },
})
