import { z } from 'zod'
import { ParameterError } from '../../../config/errors.ts'
import { parameterFaults } from '../queries/parameter-faults.ts'
import { restAddress } from '../queries/rest-address.ts'
import { hasDetail, type Tool } from './define.ts'
import { estimateTokens } from './token-estimate.ts'

/** The limit of a default answer, text and structured content together, in estimated tokens: a margin below 1,500. */
export const MAX_BRIEF_TOKENS = 1_350
/** The limit of a full answer or of one page of it, in estimated tokens. */
export const MAX_FULL_TOKENS = 12_000

const LIMITS = { brief: MAX_BRIEF_TOKENS, full: MAX_FULL_TOKENS }

// The list has these in nearly every tool, so the server's instructions describe them once.
const detail = z.enum(['brief', 'full']).default('brief')
const page = z.int('must be a whole number').min(1, 'must be 1 or more').default(1)
const fields = z.array(z.string().max(100)).min(1).max(40).optional()
// Made once: making a schema takes longer than reading a call by it.
const VIEW = z.object({ detail, fields })
const VIEW_OF_PAGES = VIEW.extend({ page })

/** The part of a tool's arguments that says how much of the answer is wanted. */
export interface View {
  detail: 'brief' | 'full'
  page: number
  /** Paths of the fields that the structured answer is to have, like `delays.summary`; absent: all. */
  fields?: string[] | undefined
}

type Arguments = Record<string, unknown>
type Answer = Record<string, unknown>

/** The arguments of a tool: those of its query, and how much of the answer is wanted where there is a choice. */
export function toolInput(tool: Tool): z.ZodObject {
  if (!hasDetail(tool)) return tool.query.input
  const withDetail = tool.query.input.extend({ detail: detail.unwrap().optional() })
  const withPage = tool.pages ? withDetail.extend({ page: page.unwrap().optional() }) : withDetail
  // Without its limits, which the list need not repeat for each tool.
  return withPage.extend({ fields: z.array(z.string()).optional() })
}

/** The answer of a tool as it is listed: the default one, with `more` where there can be more. */
export function toolOutput(tool: Tool): z.ZodObject {
  const output = briefOutput(tool)
  if (!hasDetail(tool)) return output
  return output.extend({ more: z.string().nullable().describe('What is left out and how to get it; null: nothing.') })
}

/** The schema of the default answer. Whatever it leaves out, it says that a code is a former one. */
function briefOutput({ brief, query }: Tool): z.ZodObject {
  if (!brief) return query.output
  const { notice } = query.output.shape
  return notice ? brief.output.extend({ notice }) : brief.output
}

/** The default answer of a tool. */
function briefAnswer({ brief }: Tool, answer: Answer): Answer {
  if (!brief) return answer
  const shown = brief.output.parse(brief.of(answer as never)) as Answer
  return answer.notice === undefined ? shown : Object.assign(shown, { notice: answer.notice })
}

/** Splits the arguments of a call into those of the query and the view. @throws ParameterError for a wrong view */
export function splitView(tool: Tool, input: unknown): { view: View; input: unknown } {
  const brief: View = { detail: 'brief', page: 1 }
  if (!hasDetail(tool) || typeof input !== 'object' || input === null || Array.isArray(input))
    return { view: brief, input }
  const { detail: askedDetail, page: askedPage, fields: askedFields, ...rest } = input as Arguments
  const schema = tool.pages ? VIEW_OF_PAGES : VIEW
  const parsed = schema.safeParse({ detail: askedDetail, page: askedPage, fields: askedFields })
  if (!parsed.success) throw new ParameterError(parameterFaults(parsed.error, schema))
  const output = parsed.data.detail === 'full' ? tool.query.output : briefOutput(tool)
  const unknown = parsed.data.fields?.find((path) => path !== 'more' && !hasPath(output, path.split('.')))
  if (unknown !== undefined)
    throw new ParameterError([{ parameter: 'fields', message: unknownField(unknown, output as z.ZodObject) }])
  // Without pages `page` stays among the arguments of the query, which names it as unknown.
  const passed = tool.pages || askedPage === undefined ? rest : { ...rest, page: askedPage }
  return { view: { ...brief, ...parsed.data }, input: passed }
}

/** A tool's answer as a client gets it: within the limit of its view, and with what was left out. */
export function sizedAnswer(
  tool: Tool,
  answer: Answer,
  { view, input, site_url }: { view: View; input: unknown; site_url: string },
  limits = LIMITS,
): { text: string; structured: Answer } {
  const whole = briefAnswer(tool, answer)
  const textOf = (shown: Answer) => {
    const text = tool.text(shown as never, whole as never)
    return typeof answer.notice === 'string' ? `${answer.notice} ${text}` : text
  }
  if (!hasDetail(tool)) return { text: textOf(whole), structured: whole }
  const address = restAddress(tool.query, input, site_url)
  if (view.fields) return selectedAnswer(tool, { answer, whole, view, address }, limits)
  if (view.detail === 'brief') {
    const isWithin = (shown: Answer) => fits(limits.brief, withoutFields(shown, tool.omit), textOf(shown))
    const cut = shortened(whole, tool.shorten ?? [], isWithin, answer)
    const isPart = cut.omitted.length > 0 || hasMore(tool, answer)
    const more = moreText(isPart ? [...cut.omitted, HOW_TO_GET_ALL, ...restHint(address)] : [])
    const structured = withoutFields(cut.shown, tool.omit)
    // Fields that are left out are no news to a reader of the text, so only the structured answer says so.
    const fields = isReduced(tool, cut.shown) ? 'Further fields: detail: "full".' : null
    return { text: withLine(textOf(cut.shown), more), structured: Object.assign(structured, { more: more ?? fields }) }
  }
  const { rows, notes } = pageOf(tool, answer, view.page)
  const { pages, shorten = [] } = tool
  const lists = shorten.filter((list) => list !== pages?.list)
  // A page has so few rows that it fits: a row that were cut from it would be on no page.
  const cut = shortened(rows, lists, (shown) => fits(limits.full, shown))
  const text = textOf(tool.brief ? whole : cut.shown)
  const parts = [...cut.omitted, ...notes]
  const more = moreText(parts.length > 0 ? [...parts, ...restHint(address)] : [])
  return { text: withLine(text, more), structured: { ...cut.shown, more } }
}

/** The requested fields alone, with the first line of the text: what decides. */
function selectedAnswer(
  tool: Tool,
  { answer, whole, view, address }: { answer: Answer; whole: Answer; view: View; address: string | null },
  limits: typeof LIMITS,
): { text: string; structured: Answer } {
  const isFull = view.detail === 'full'
  const { rows, notes } = isFull ? pageOf(tool, answer, view.page) : { rows: whole, notes: [] }
  const paths = (view.fields ?? []).map((path) => path.split('.'))
  const kept = ['simulated', 'notice'].filter((name) => name in rows).map((name) => [name])
  const selected = pick(rows, [...paths, ...kept])
  const lists = (tool.shorten ?? []).filter((list) => !isFull || list !== tool.pages?.list)
  const cut = shortened(selected, lists, (shown) => fits(isFull ? limits.full : limits.brief, shown))
  const isOnPage = tool.pages !== undefined && tool.pages.list in selected
  const parts = isOnPage ? [...cut.omitted, ...notes] : cut.omitted
  const more = moreText(parts.length > 0 ? [...parts, ...restHint(address)] : [])
  const [line = ''] = tool.text(whole as never, whole as never).split('\n')
  const first = typeof answer.notice === 'string' ? `${answer.notice} ${line}` : line
  return { text: withLine(first, more), structured: { ...cut.shown, more } }
}

/** The parts of a value that some paths name; a path goes through lists. */
function pick<Value>(value: Value, paths: readonly string[][]): Value {
  if (Array.isArray(value)) return value.map((entry) => pick(entry, paths)) as Value
  if (!isObject(value) || paths.some((path) => path.length === 0)) return value
  const names = Object.keys(value).filter((name) => paths.some(([first]) => first === name))
  return Object.fromEntries(
    names.map((name) => [
      name,
      pick(
        value[name],
        paths.filter(([first]) => first === name).map(([, ...rest]) => rest),
      ),
    ]),
  ) as Value
}

/** Whether a schema has a property at a path, through lists and what may be null. */
function hasPath(schema: unknown, [name, ...inner]: string[]): boolean {
  if (name === undefined) return true
  const object = objectIn(schema)
  return object !== null && Object.hasOwn(object.shape, name) && hasPath(object.shape[name], inner)
}

function objectIn(schema: unknown): z.ZodObject | null {
  if (schema instanceof z.ZodObject) return schema
  if (schema instanceof z.ZodArray) return objectIn(schema.element)
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return objectIn(schema.unwrap())
  return null
}

const unknownField = (path: string, { shape }: z.ZodObject) =>
  `${JSON.stringify(path)} is no field of this answer; it has ${Object.keys(shape).join(', ')}, and fields within them like "a.b"`

/** Whether a full answer has more than the default one of the same call. */
function hasMore({ brief, pages }: Tool, answer: Answer): boolean {
  if (brief === undefined) return false
  const rows = pages ? answer[pages.list] : null
  return !Array.isArray(rows) || rows.length > 0
}

const HOW_TO_GET_ALL = 'call again with detail: "full" for all of it'

const restHint = (address: string | null) => (address === null ? [] : [`over REST: ${address}`])

/** What is missing, as a sentence; null: nothing. */
const moreText = (parts: string[]) => (parts.length === 0 ? null : `${capitalized(parts.join('; '))}.`)

const withLine = (text: string, more: string | null) => (more === null ? text : `${text}\nMore: ${more}`)

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** One page of the list that a full answer has in pages. @throws ParameterError for a page past the last */
function pageOf({ pages }: Tool, answer: Answer, page: number): { rows: Answer; notes: string[] } {
  if (!pages) return { rows: answer, notes: [] }
  const rows = answer[pages.list] as unknown[]
  const last = Math.max(1, Math.ceil(rows.length / pages.rows))
  if (page > last)
    throw new ParameterError([{ parameter: 'page', message: `must be at most ${last}, the last page of this answer` }])
  if (last === 1) return { rows: answer, notes: [] }
  const from = (page - 1) * pages.rows
  const shown = rows.slice(from, from + pages.rows)
  const where = `${pages.list} ${from + 1} to ${from + shown.length} of ${rows.length} (page ${page} of ${last})`
  const next = page < last ? [`next: page: ${page + 1}`] : []
  return { rows: { ...answer, [pages.list]: shown }, notes: [where, ...next] }
}

interface Shortened {
  shown: Answer
  /** What was cut, like "airports: 8 of 31 shown". */
  omitted: string[]
}

/** Cuts lists of an answer from their end, one after another, until it is within the limit; `full` is what it is a part of. */
function shortened(
  answer: Answer,
  lists: readonly string[],
  isWithin: (candidate: Answer) => boolean,
  full?: Answer,
): Shortened {
  let shown = answer
  const omitted: string[] = []
  for (const list of lists) {
    if (isWithin(shown)) break
    const total = longest(shown, list)
    // The most entries that fit: the size grows with their number. A list within an entry keeps one, because an empty list
    // would say that there is none.
    let least = list.includes('.') ? Math.min(1, total) : 0
    let most = total
    while (least < most) {
      const middle = Math.ceil((least + most) / 2)
      if (isWithin(cutAt(shown, list, middle))) least = middle
      else most = middle - 1
    }
    const kept = Math.min(least, total)
    if (kept === total) continue
    shown = cutAt(shown, list, kept)
    omitted.push(
      `${list.replaceAll('.', ' ')}: ${list.includes('.') ? 'at most ' : ''}${kept} of ${Math.max(total, full ? longest(full, list) : 0)} shown`,
    )
  }
  return { shown, omitted }
}

/** Whether a default answer leaves out a field that this answer has. */
const isReduced = ({ omit = [] }: Tool, shown: Answer) =>
  omit.length > 0 && JSON.stringify(withoutFields(shown, omit)) !== JSON.stringify(shown)

/** An answer without the fields of some paths. */
function withoutFields(answer: Answer, paths: readonly string[] = []): Answer {
  return paths.reduce((reduced, path) => withoutField(reduced, path.split('.')), answer)
}

function withoutField(answer: Answer, [name, ...inner]: string[]): Answer {
  if (name === undefined || answer[name] === undefined) return answer
  const { [name]: value, ...others } = answer
  if (inner.length === 0) return others
  const within = (entry: unknown) => (isObject(entry) ? withoutField(entry, inner) : entry)
  return { ...answer, [name]: Array.isArray(value) ? value.map(within) : within(value) }
}

/** Room for the sentence that says what was left out. */
const MORE_TOKENS = 110

/** Whether text and structured content together are within a limit of tokens, and leave that room. */
const fits = (limit: number, shown: Answer, text = '') =>
  estimateTokens(JSON.stringify({ text, shown }), limit - MORE_TOKENS) + MORE_TOKENS <= limit

/** The longest of the lists with a name: one, or one in each entry of an outer list. */
function longest(answer: Answer, list: string): number {
  const [outer, ...inner] = list.split('.') as [string, ...string[]]
  const value = answer[outer]
  if (inner.length === 0) return Array.isArray(value) ? value.length : 0
  const entries = (Array.isArray(value) ? value : [value]).filter(isObject)
  return Math.max(0, ...entries.map((entry) => longest(entry, inner.join('.'))))
}

function cutAt(answer: Answer, list: string, length: number): Answer {
  const [outer, ...inner] = list.split('.') as [string, ...string[]]
  const value = answer[outer]
  const within = (entry: unknown) => (isObject(entry) ? cutAt(entry, inner.join('.'), length) : entry)
  if (inner.length > 0) return { ...answer, [outer]: Array.isArray(value) ? value.map(within) : within(value) }
  return Array.isArray(value) ? { ...answer, [outer]: value.slice(0, length) } : answer
}

const isObject = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
