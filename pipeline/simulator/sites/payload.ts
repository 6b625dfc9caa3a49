import { readFileSync } from 'node:fs'
import { DateTime } from 'luxon'
import { projectFile } from '../../../config/paths.ts'
import { zoneOf } from '../../../config/time-zones/local-time.ts'

/** A value of a slot; null, false, an empty text and an empty list count as absent, 0 does not. */
export type SlotValue = string | number | boolean | null | undefined | Instant | readonly Slots[]
export interface Slots {
  [name: string]: SlotValue
}

/** An instant in a zone: `{{at:h:mm a}}` writes it in a format of Luxon. */
export interface Instant {
  ms: number
  zone: string
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

const SECTION = /\{\{([#^])(\w+)\}\}([\s\S]*?)\{\{\/\2\}\}/g
const SLOT = /\{\{(\w+)(?::([^}]*))?\}\}/g
const WHOLE_SLOT = /^\{\{(\w+)(?::([^}]*))?\}\}$/
const SECTION_KEY = /^\{\{([#^])(\w+)\}\}$/

const escapeHtml = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/'/g, '&#039;')

/**
 * Fills a file of `payloads/`. `{{name}}` is a slot. What stands between `{{#name}}` and `{{/name}}` is written if the slot is
 * present, and once for each member of a list; between `{{^name}}` and `{{/name}}`, if it is absent. A `.json` payload is itself valid
 * JSON: a text that is one slot keeps the type of its value, and a key `{{#name}}` writes its value into the list or object around it.
 * Slots in HTML are escaped. A slot that nobody fills is an error.
 */
export function fillPayload(file: string, slots: Slots): string {
  const payload = readFileSync(projectFile('pipeline', 'simulator', 'payloads', file), 'utf8')
  if (!file.endsWith('.json')) return filledText(payload, slots, escapeHtml).trimEnd()
  return JSON.stringify(filledJson(JSON.parse(payload) as Json, slots))
}

function slotValue(slots: Slots, name: string, format?: string): SlotValue {
  if (!(name in slots)) throw new Error(`the payload has a slot ${name} that is not filled`)
  const value = slots[name]
  if (format === undefined || !isInstant(value)) return value
  return DateTime.fromMillis(value.ms, { zone: zoneOf(value.zone), locale: 'en-US' }).toFormat(format)
}

const isInstant = (value: SlotValue): value is Instant => typeof value === 'object' && value !== null && 'ms' in value

/** The slots for each time that a section is written. */
function repetitions(slots: Slots, sign: string, name: string): Slots[] {
  const value = slotValue(slots, name)
  const absent = value === null || value === undefined || value === false || value === ''
  const list = Array.isArray(value) ? (value as Slots[]) : []
  if (sign === '^') return absent || (Array.isArray(value) && list.length === 0) ? [slots] : []
  if (Array.isArray(value)) return list.map((own) => Object.assign({}, slots, own))
  return absent ? [] : [slots]
}

function filledText(text: string, slots: Slots, written: (text: string) => string): string {
  const sections = text.replace(SECTION, (_, sign: string, name: string, inside: string) =>
    repetitions(slots, sign, name)
      .map((own) => filledText(inside, own, written))
      .join(''),
  )
  return sections.replace(SLOT, (_, name: string, format?: string) =>
    written(String(slotValue(slots, name, format) ?? '')),
  )
}

function filledJson(json: Json, slots: Slots): Json {
  if (typeof json === 'string') {
    const [, name, format] = WHOLE_SLOT.exec(json) ?? []
    if (name === undefined) return filledText(json, slots, (text) => text)
    return (slotValue(slots, name, format) ?? null) as Json
  }
  if (Array.isArray(json)) return json.flatMap((member) => listMembers(member, slots))
  if (json === null || typeof json !== 'object') return json
  return Object.fromEntries(Object.entries(json).flatMap(([key, value]) => objectMembers(key, value, slots)))
}

function listMembers(json: Json, slots: Slots): Json[] {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return [filledJson(json, slots)]
  const [[key, inside] = ['', null]] = Object.entries(json)
  const [, sign, name] = SECTION_KEY.exec(key) ?? []
  if (sign === undefined || name === undefined) return [filledJson(json, slots)]
  return repetitions(slots, sign, name).map((own) => filledJson(inside, own))
}

function objectMembers(key: string, value: Json, slots: Slots): [string, Json][] {
  const [, sign, name] = SECTION_KEY.exec(key) ?? []
  if (sign === undefined || name === undefined)
    return [[filledText(key, slots, (text) => text), filledJson(value, slots)]]
  return repetitions(slots, sign, name).flatMap((own) =>
    Object.entries(filledJson(value, own) as { [name: string]: Json }),
  )
}
