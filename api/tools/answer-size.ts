import { z } from 'zod'
import { checkedOutput, type Query } from '../../answers/questions/define.ts'
import { parameterFaults } from '../../answers/questions/parameter-faults.ts'
import { capitalised } from '../../answers/statements/text.ts'
import { ParameterError } from '../../config/errors.ts'
import { isObject } from '../../config/json-object.ts'
import type { AsyncQuery } from '../async-question.ts'
import { hasDetail, type Tool } from './define.ts'

/**
 * The address of a query's answer over REST for an input, with CSV where there is one; null if only MCP answers it. A text is
 * given as the answer says that it was read: the instant of `tomorrow 6am`, which means another one tomorrow.
 */
function restAddress({ rest }: Query | AsyncQuery, input: unknown, answer: Answer, site_url: string): string | null {
  if (rest === null || rest.method !== 'GET') return null
  const parameters = new URLSearchParams()
  let path = rest.path
  for (const [name, value] of Object.entries((input ?? {}) as Record<string, unknown>)) {
    const isInPath = path.includes(`:${name}`)
    if (isInPath) path = path.replace(`:${name}`, encodeURIComponent(String(value)))
    else if (typeof value === 'string' && typeof answer[name] === 'string') parameters.set(name, answer[name])
    else if (value !== undefined) parameters.set(name, String(value))
  }
  const query = parameters.toString()
  const csv = rest.csv ? ` (as CSV: ${rest.path.split('/').at(-1)}.csv)` : ''
  return `${site_url}/api/v1${path}${query === '' ? '' : `?${query}`}${csv}`
}

// The list has these in nearly every tool, so the server's instructions describe them once.
const detail = z.enum(['brief', 'full'])
const page = z.int().min(1)
// Made once: making a schema takes longer than reading a call by it.
const VIEW = z.object({ detail: detail.default('brief') })
const VIEW_OF_PAGES = VIEW.extend({ page: page.default(1) })

/** The part of a tool's arguments that says how much of the answer is wanted. */
export interface View {
  detail: 'brief' | 'full'
  page: number
}

type Answer = Record<string, unknown>

/** The arguments of a tool: those of its query, and how much of the answer is wanted where there is a choice. */
export function toolInput(tool: Tool): z.ZodObject {
  if (!hasDetail(tool)) return tool.query.input
  const withDetail = tool.query.input.extend({ detail: detail.optional() })
  return tool.pages ? withDetail.extend({ page: page.optional() }) : withDetail
}

/** The names of the arguments of a tool that are not its query's. */
export function viewParameters(tool: Tool): readonly string[] {
  if (!hasDetail(tool)) return []
  return Object.keys((tool.pages ? VIEW_OF_PAGES : VIEW).shape)
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

/** The default answer of a tool, before its lists are cut. */
function briefAnswer({ name, brief }: Tool, answer: Answer): Answer {
  if (!brief) return answer
  const shown = checkedOutput({ name }, brief.output, brief.shorten(answer as never)) as Answer
  return answer.notice === undefined ? shown : { ...shown, notice: answer.notice }
}

const BRIEF: View = { detail: 'brief', page: 1 }

/** Splits the arguments of a call into those of the query and the view. @throws ParameterError for a wrong view */
export function splitView(tool: Tool, input: unknown): { view: View; input: unknown } {
  if (!hasDetail(tool) || !isObject(input)) return { view: BRIEF, input }
  const { detail: requested, page: requestedPage, ...rest } = input
  // Without pages `page` stays among the arguments of the query, which names it as unknown.
  const passed = tool.pages || requestedPage === undefined ? rest : { ...rest, page: requestedPage }
  if (requested === undefined && requestedPage === undefined) return { view: BRIEF, input: passed }
  const schema = tool.pages ? VIEW_OF_PAGES : VIEW
  // A page is one of the full answer: the default answer has none, and would repeat itself.
  const wanted = requested ?? (requestedPage === undefined ? 'brief' : 'full')
  const parsed = schema.safeParse({ detail: wanted, page: requestedPage })
  if (!parsed.success) throw new ParameterError(parameterFaults(parsed.error, schema))
  if (wanted === 'brief' && requestedPage !== undefined && requestedPage !== 1)
    throw ParameterError.of('page', 'needs detail: "full", which has the answer in pages')
  return { view: { ...BRIEF, ...parsed.data }, input: passed }
}

/** A tool's answer as a client gets it: the lists within their limits, and what was left out. */
export function sizedAnswer(
  tool: Tool,
  answer: Answer,
  { view, input, site_url }: { view: View; input: unknown; site_url: string },
): { text: string; structured: Answer } {
  const whole = briefAnswer(tool, answer)
  const textOf = (shown: Answer, more: string | null = null) => {
    const text = tool.text(shown as never, whole as never)
    const noticed = typeof answer.notice === 'string' ? `${answer.notice} ${text}` : text
    return more === null ? noticed : `${noticed}\nMore: ${more}`
  }
  if (!hasDetail(tool)) return { text: textOf(whole), structured: whole }
  const { shown, parts } = view.detail === 'full' ? pageOf(tool, answer, view.page) : briefLists(tool, whole, answer)
  const more = parts.length === 0 ? null : moreText(parts, restAddress(tool.query, input, answer, site_url))
  const text = textOf(view.detail === 'full' && tool.brief ? whole : shown, more)
  return { text, structured: { ...shown, more } }
}

function moreText(parts: readonly string[], address: string | null): string {
  const text = [...parts, address !== null && `over REST: ${address}`].filter(Boolean).join('; ')
  return `${capitalised(text)}.`
}

interface CutAnswer {
  shown: Answer
  /** The omitted parts and how to get them. */
  parts: string[]
}

/** A default answer with each list cut to its limit. */
function briefLists(tool: Tool, whole: Answer, answer: Answer): CutAnswer {
  let shown = whole
  const parts: string[] = []
  for (const [list, limit] of Object.entries(tool.limits ?? {})) {
    const path = list.split('.')
    const total = longest(shown, path)
    if (total <= limit) continue
    shown = cutAt(shown, path, limit)
    const most = path.length > 1 ? 'up to ' : ''
    const what = path.at(-1)!.replaceAll('_', ' ')
    parts.push(`${what}: ${most}${limit} of ${Math.max(total, longest(answer, path))} shown`)
  }
  return { shown, parts: parts.length > 0 || hasMore(tool, answer) ? [...parts, HOW_TO_GET_ALL] : [] }
}

const HOW_TO_GET_ALL = 'call again with detail: "full" for all'

/** Whether a full answer has more than the default one of the same call. */
function hasMore({ brief, pages }: Tool, answer: Answer): boolean {
  if (brief === undefined) return false
  const rows = pages ? answer[pages.list] : null
  return !Array.isArray(rows) || rows.length > 0
}

/** One page of the list that a full answer has in pages. @throws ParameterError for a page past the last */
function pageOf({ pages }: Tool, answer: Answer, page: number): CutAnswer {
  if (!pages) return { shown: answer, parts: [] }
  const rows = answer[pages.list] as unknown[]
  const last = Math.max(1, Math.ceil(rows.length / pages.rows))
  if (page > last) throw ParameterError.of('page', `must be at most ${last}, the last page of this answer`)
  if (last === 1) return { shown: answer, parts: [] }
  const from = (page - 1) * pages.rows
  const shown = rows.slice(from, from + pages.rows)
  const where = `${pages.list} ${from + 1} to ${from + shown.length} of ${rows.length} (page ${page} of ${last})`
  const next = page < last ? [`next: page: ${page + 1}`] : []
  return { shown: { ...answer, [pages.list]: shown }, parts: [where, ...next] }
}

/** The longest of the lists at a path: one, or one in each entry of an outer list. */
function longest(value: unknown, [name, ...inner]: readonly string[]): number {
  if (name === undefined) return Array.isArray(value) ? value.length : 0
  if (Array.isArray(value)) return Math.max(0, ...value.map((entry) => longest(entry, [name, ...inner])))
  return isObject(value) ? longest(value[name], inner) : 0
}

function cutAt<Value>(value: Value, path: readonly string[], length: number): Value {
  const [name, ...inner] = path
  if (name === undefined) return (Array.isArray(value) ? value.slice(0, length) : value) as Value
  if (Array.isArray(value)) return value.map((entry) => cutAt(entry, path, length)) as Value
  return isObject(value) && name in value ? { ...value, [name]: cutAt(value[name], inner, length) } : value
}
