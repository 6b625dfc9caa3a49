/**
 * The shell of the pictures that a host of the MCP Apps extension (spec 2026-01-26) shows beside a tool's answer. It speaks the
 * extension's messages with the host, follows its theme, and has the few elements that all pictures share. A picture asks nobody
 * for anything: the host hands it the answer. Every text from outside is set as text.
 */

export type Fields = Record<string, unknown>

/** The answer of a tool as the host passes it on. */
export interface ToolResult {
  structuredContent?: Fields
  content?: unknown
  isError?: boolean
  _meta?: Fields
}

/** One picture. */
export interface Picture {
  /** What is shown while the answer is on its way. */
  waiting: (input: Fields) => string
  /** Draws an answer at a width in pixels. `call` calls a tool by way of the host; null where the host does not allow that. */
  draw: (result: ToolResult, width: number, call: CallTool | null) => (Node | string)[]
}

export type CallTool = (name: string, input: Fields) => Promise<ToolResult>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const fields = (value: unknown): Fields => (isFields(value) ? value : {})
export const rows = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])
/** A number as it is; null for anything else. */
export const number = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

const MAX_TEXT = 300
/** Text from outside: one line, without characters that are invisible or change its direction, and never endless. */
export function plain(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  const text = String(value).replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]+/gu, ' ')
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

const SVG = 'http://www.w3.org/2000/svg'
type Attributes = Record<string, string | number>

function filled<Made extends Element>(made: Made, attributes: Attributes, children: (Node | string)[]): Made {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value))
  made.append(...children)
  return made
}

/** An element of HTML; strings become text. */
export const html = (name: string, attributes: Attributes, ...children: (Node | string)[]) =>
  filled(document.createElement(name), attributes, children)
/** An element of SVG. */
export const svg = (name: string, attributes: Attributes, ...children: (Node | string)[]) =>
  filled(document.createElementNS(SVG, name), attributes, children)

export const clock = (local: unknown) => (/^[\d-]+T(\d\d:\d\d)/.exec(plain(local)) ?? ['', ''])[1]!
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
/** The weekday and day of the month of a local time: Sat 21. */
export function dayOf(local: unknown): string {
  const date = plain(local).slice(0, 10)
  const at = new Date(`${date}T12:00:00Z`)
  return Number.isNaN(at.getTime()) ? '' : `${DAYS[at.getUTCDay()]} ${at.getUTCDate()}`
}

/** Round steps of a scale that reaches at least `top`. */
export function ticksUpTo(top: number): number[] {
  const step = [1, 2, 5, 10, 15, 20, 30, 60, 120, 240, 600, 1_200].find((size) => top / size <= 5) ?? top / 4
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, place) => place * step)
}

/** A table that says in figures what a chart shows. */
export function table(name: string, head: string[], body: string[][]): Element {
  const cells = (kind: string, row: string[]) => html('tr', {}, ...row.map((text) => html(kind, {}, text)))
  return html(
    'details',
    {},
    html('summary', {}, name),
    html('table', {}, html('thead', {}, cells('th', head)), html('tbody', {}, ...body.map((row) => cells('td', row)))),
  )
}

const VARIABLES = [
  '--color-background-primary',
  '--color-text-primary',
  '--color-text-secondary',
  '--color-border-primary',
]

/** Follows the host's theme; its colours only when all are given, because a mixture with ours might not be legible. */
function applyContext({ theme, styles }: Fields): void {
  const { style, dataset } = document.documentElement
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  const variables = fields(fields(styles).variables)
  if (VARIABLES.every((name) => typeof variables[name] === 'string'))
    for (const name of VARIABLES) style.setProperty(name, plain(variables[name]))
  if (typeof variables['--font-sans'] === 'string') style.setProperty('--font-sans', plain(variables['--font-sans']))
}

/** Connects a picture with its host and shows what the host sends. */
export function start(picture: Picture): void {
  const main = document.querySelector('main')!
  const pending = new Map<number, (answer: Fields) => void>()
  let lastId = 0
  let call: CallTool | null = null
  let shown: ToolResult | null = null
  let width = 0

  const send = (message: Fields) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const request = (method: string, params: Fields) =>
    new Promise<Fields>((resolve) => {
      lastId += 1
      pending.set(lastId, resolve)
      send({ id: lastId, method, params })
    })
  const say = (text: string) => main.replaceChildren(html('p', { class: 'quiet' }, text))
  const draw = () => {
    if (!shown) return
    const { structuredContent, content, isError, _meta } = shown
    const { simulated } = fields(structuredContent)
    const texts = rows(content).map(({ text }) => plain(text))
    const isKnown = isError !== true && isFields(structuredContent)
    main.replaceChildren(
      ...(simulated === true
        ? [
            html(
              'p',
              { class: 'banner' },
              html('strong', {}, 'SIMULATED.'),
              ' Every figure is invented. Not for travel.',
            ),
          ]
        : []),
      ...(isKnown
        ? picture.draw({ structuredContent: fields(structuredContent), _meta: fields(_meta) }, width, call)
        : [html('p', {}, texts.join(' ') || 'There is no answer to show.')]),
    )
  }
  const received: Record<string, (params: Fields) => void> = {
    'ui/notifications/tool-input': ({ arguments: input }) => {
      if (!shown) say(picture.waiting(fields(input)))
    },
    'ui/notifications/tool-result': (result) => {
      shown = result as ToolResult
      draw()
    },
    'ui/notifications/tool-cancelled': ({ reason }) => {
      if (!shown) say(`The call was cancelled. ${plain(reason)}`)
    },
    'ui/notifications/host-context-changed': applyContext,
  }
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || !isFields(data) || data.jsonrpc !== '2.0') return
    const { id, method, params, result, error } = data
    if (typeof method !== 'string') {
      if (typeof id !== 'number') return
      pending.get(id)?.(isFields(result) ? result : { isError: true, content: [{ text: fields(error).message }] })
      pending.delete(id)
    } else if (id === undefined) received[method]?.(fields(params))
    else if (method === 'ping' || method === 'ui/resource-teardown') send({ id, result: {} })
    else send({ id, error: { code: -32601, message: 'Method not found' } })
  })
  new ResizeObserver(() => {
    const { clientWidth } = main
    if (clientWidth !== width) {
      width = clientWidth
      draw()
    }
    const { width: full, height } = document.body.getBoundingClientRect()
    send({ method: 'ui/notifications/size-changed', params: { width: Math.ceil(full), height: Math.ceil(height) } })
  }).observe(main)
  void request('ui/initialize', {
    protocolVersion: '2026-01-26',
    appInfo: { name: document.title, version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  }).then(({ hostContext, hostCapabilities }) => {
    applyContext(fields(hostContext))
    if (isFields(fields(hostCapabilities).serverTools))
      call = (name, input) => request('tools/call', { name, arguments: input }) as Promise<ToolResult>
    send({ method: 'ui/notifications/initialized', params: {} })
  })
}
