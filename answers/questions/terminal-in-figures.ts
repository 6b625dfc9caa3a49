import { withPlainDigits } from '../../config/plain-digits.ts'
import { countOf } from '../statements/counted-words.ts'

/** "Terminal" in languages of travellers, with its number behind or before it. */
const TERMINAL =
  /^(?:(?:terminale?|terminál|terminalen|aérogare|терминал|τερματικός|t)(?:\.?\s*(?<figures>\d{1,2}[a-z]?)|(?:\.\s*|\s+)(?<behind>\p{L}{3,}))|(?:ターミナル|터미널)\s*(?<unit>\d{1,2})|[第제]?\s*(?<before>\d{1,2}|[一二两三四五六七八九十])\s*(?:[号號]|터미널|ターミナル|航站[楼樓]|航廈)+)$/iu
const ALONE = /^(?<alone>\p{L}{3,})$/u
/** Read as it is: `T5`, `terminal 4S`. */
const IN_FIGURES = /^\s*t(?:erminal)?\.?\s*\d/i
const MAX_NUMBER = 12

/** The terminal that a text in another language means, as answers name it: `Terminal 5` for "terminal cinque" and "第5ターミナル"; any other text as it is. */
export function terminalInFigures(text: string): string {
  const plain = withPlainDigits(text).trim()
  const { figures, behind, unit, before, alone } = (TERMINAL.exec(plain) ?? ALONE.exec(plain))?.groups ?? {}
  const written = figures ?? behind ?? unit ?? before ?? alone
  if (written === undefined || IN_FIGURES.test(text)) return text
  const number = /^\d/.test(written) ? Number.parseInt(written, 10) : countOf(written)
  if (!(Number.isInteger(number) && number <= MAX_NUMBER)) return text
  return `Terminal ${number}${/(?<=\d)[a-z]$/i.exec(written)?.[0].toUpperCase() ?? ''}`
}
