import { countOf } from '../statements/counted-words.ts'

/** "Terminal" in languages of travellers, with its number behind or before it. */
const TERMINAL =
  /^(?:(?:terminale?|terminál|terminalen|aérogare|терминал|τερματικός|t)\.?\s*(?<behind>\p{L}{3,}|\d[a-z]?)|(?:ターミナル|터미널)\s*(?<unit>\d)|[第제]?(?<before>[\d一二两三四五])\s*(?:[号號]|터미널|ターミナル|航站[楼樓]|航廈)+)$/iu
const ALONE = /^(?<alone>\p{L}{3,})$/u
/** Read as it is: `T5`, `terminal 4S`. */
const IN_FIGURES = /^\s*t(?:erminal)?\.?\s*\d/i
const MAX_NUMBER = 12

/** The terminal that a text in another language means, as answers name it: `Terminal 5` for "terminal cinque" and "第5ターミナル"; any other text as it is. */
export function terminalInFigures(text: string): string {
  const { behind, unit, before, alone } = (TERMINAL.exec(text.trim()) ?? ALONE.exec(text.trim()))?.groups ?? {}
  const written = behind ?? unit ?? before ?? alone
  if (written === undefined || IN_FIGURES.test(text)) return text
  if (/^\d/.test(written)) return `Terminal ${written.toUpperCase()}`
  const number = countOf(written)
  return Number.isInteger(number) && number <= MAX_NUMBER ? `Terminal ${number}` : text
}
