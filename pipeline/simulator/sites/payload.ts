import { readFileSync } from 'node:fs'
import { projectFile } from '../../../config/paths.ts'

/** A value of a slot; null, false, an empty text and an empty list count as absent, 0 does not. A function is a slot with an argument. */
export type SlotValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Slots[]
  | ((argument: string) => SlotValue)
export interface Slots {
  [name: string]: SlotValue
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

const SECTION = /\{\{([#^])(?:(\w+) by )?(\w+)(?::([^}]*))?\}\}([\s\S]*?)\{\{\/\3\}\}/g
const SECTION_KEY = /^\{\{([#^])(?:(\w+) by )?(\w+)(?::([^}]*))?\}\}$/
const SLOT = /\{\{(!?)([\w|]+)(?::([^}]*))?\}\}/g
const WHOLE_SLOT = /^\{\{(!?)([\w|]+)(?::([^}]*))?\}\}$/

const escapeMarkup = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/'/g, '&#039;')

/**
 * Fills a file of `payloads/`.
 * - `{{name}}` is a slot, `{{name:argument}}` a slot with an argument, `{{a|b|0}}` the first present one of slots and numbers,
 *   `{{!name}}` whether the slot is absent.
 * - What stands between `{{#name}}` and `{{/name}}` is written if the slot is present, and once for each member of a list; between
 *   `{{^name}}` and `{{/name}}`, if it is absent. `{{#queues by terminal}}` to `{{/terminal}}` is written once for each terminal: `queues`
 *   are then its own, and `letter` counts the groups.
 * - A `.json` payload is itself valid JSON: a text that is one slot keeps the type of its value, and a key `{{#name}}` writes its value
 *   into the list or object around it.
 * Slots in HTML and XML are escaped. A slot that nobody fills is an error.
 */
export function fillPayload(file: string, slots: Slots): string {
  const payload = readFileSync(projectFile('pipeline', 'simulator', 'payloads', file), 'utf8')
  if (file.endsWith('.json')) return JSON.stringify(filledJson(JSON.parse(payload) as Json, slots))
  return filledText(payload, slots, /\.(html|xml)$/.test(file) ? escapeMarkup : String).trimEnd()
}

const isAbsent = (value: SlotValue) =>
  value === null ||
  value === undefined ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

function slotValue(slots: Slots, name: string, argument = ''): SlotValue {
  if (/^\d+$/.test(name)) return Number(name)
  if (!(name in slots)) throw new Error(`the payload has a slot ${name} that is not filled`)
  const value = slots[name]
  return typeof value === 'function' ? value(argument) : value
}

function filledSlot(slots: Slots, negated: string, names: string, argument?: string): SlotValue {
  const values = names.split('|').map((name) => slotValue(slots, name, argument))
  const value = values.find((candidate) => !isAbsent(candidate)) ?? values.at(-1)
  return negated === '' ? value : isAbsent(value)
}

/** The slots for each time that a section is written. */
function repetitions(slots: Slots, [, sign, list, name = '', argument]: RegExpExecArray | string[]): Slots[] {
  if (list !== undefined) return groups(slots, list, name)
  const value = slotValue(slots, name, argument)
  if (sign === '^') return isAbsent(value) ? [slots] : []
  if (Array.isArray(value)) return (value as Slots[]).map((own) => ({ ...slots, ...own }))
  return isAbsent(value) ? [] : [slots]
}

function groups(slots: Slots, list: string, name: string): Slots[] {
  const members = slotValue(slots, list) as Slots[]
  return [...new Set(members.map((member) => member[name]))].map((value, index) => {
    const own = members.filter((member) => member[name] === value)
    return { ...slots, ...own[0], [list]: own, letter: String.fromCharCode(65 + index) }
  })
}

function filledText(text: string, slots: Slots, written: (text: string) => string): string {
  const sections = text.replace(SECTION, (...found: string[]) =>
    repetitions(slots, found)
      .map((own) => filledText(found[5]!, own, written))
      .join(''),
  )
  return sections.replace(SLOT, (_, negated: string, names: string, argument?: string) =>
    written(String(filledSlot(slots, negated, names, argument) ?? '')),
  )
}

function filledJson(json: Json, slots: Slots): Json {
  if (typeof json === 'string') {
    const [, negated = '', names, argument] = WHOLE_SLOT.exec(json) ?? []
    if (names === undefined) return filledText(json, slots, String)
    return (filledSlot(slots, negated, names, argument) ?? null) as Json
  }
  if (Array.isArray(json)) return json.flatMap((member) => listMembers(member, slots))
  if (json === null || typeof json !== 'object') return json
  return Object.fromEntries(Object.entries(json).flatMap(([key, value]) => objectMembers(key, value, slots)))
}

function listMembers(json: Json, slots: Slots): Json[] {
  const [key, inside] = (json !== null && typeof json === 'object' && Object.entries(json)[0]) || ['', null]
  const section = SECTION_KEY.exec(key)
  if (section === null) return [filledJson(json, slots)]
  return repetitions(slots, section).flatMap((own) => listMembers(inside as Json, own))
}

function objectMembers(key: string, value: Json, slots: Slots): [string, Json][] {
  const section = SECTION_KEY.exec(key)
  if (section === null) return [[filledText(key, slots, String), filledJson(value, slots)]]
  return repetitions(slots, section).flatMap((own) =>
    Object.entries(filledJson(value, own) as { [name: string]: Json }),
  )
}
