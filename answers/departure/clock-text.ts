import { isRelativeDay } from '../statements/day-words.ts'

/** Times of a clock in a traveller's text: one of them, with the words around it, and a range of two. */

/** Between a day and a time, in languages in which a day may be named. */
export const AT = '(?:at|a las|a la|la|à|um|om|alle|às|в|o|v|saat|jam|pukul|lúc|στις|στη|الساعة|בשעה|เวลา)'

/** A clock that is no year: with minutes apart, with am or pm, or four figures that do not begin as a year does. */
export const CLOCK = String.raw`\d{1,2}(?:[:.h]\d{2}(?::\d{2})?)?\s*[ap]\.?m\.?|\d{1,2}[:.h]\d{2}(?::\d{2})?|(?:[01]\d|2[1-3])[0-5]\d(?!\d)`

/** A whole hour as it is written in some languages, and minutes with the word behind them: `17h`, `8 Uhr`, `9 बजे`, `17:30 Uhr`. */
const WHOLE_HOUR =
  /(?<![\d:.h])(\d{1,2})\s*(?:h|heures?|uhr|uur|horas|giờ|बजे|час(?:а|ов)?|hodin[yue]?|óra(?:kor)?|น)(?![\p{L}\d])/iu
/** The word before an hour in some languages, which leaves no doubt that it is one of 24. */
const HOUR_WORD = String.raw`(?:klo?\.?|klockan|klokken|kello|ore|ora|godz\.?|godzinie)`
/** It with its hour: `kl. 9`, `ore 7`, `godz. 18:30`. */
const HOUR_BEHIND_WORD = new RegExp(
  String.raw`(?<!\p{L})${HOUR_WORD}\s*(?<hour>\d{1,2})(?<minutes>[:.h]\d{2}(?::\d{2})?|\d{2})?(?![\d:.h])`,
  'iu',
)

/** A text with a clock in place of an hour beside its word: `18:00 i morgon` for `kl. 18 i morgon`. */
export const withWholeHours = (text: string): string =>
  text.replace(WHOLE_HOUR, '$1:00').replace(HOUR_BEHIND_WORD, (_, hour: string, minutes = ':00') => hour + minutes)

/** A whole hour without minutes, behind "at" or a day, or before a day: `at 8`, `tomorrow 18`, `6 tomorrow`. */
const HOUR_ALONE = new RegExp(
  String.raw`(?<=(?:^|\s)(?:${AT}|today|tonight|tomorrow)\s+)(?<last>\d{1,2})(?!\S)(?=(?<behind>.*)$)|^(?<first>\d{1,2})(?=\s+(?<day>\p{L}+)$)`,
  'iu',
)
/** Whether an hour is one of the afternoon alone. */
const isOfAfternoon = (hour: number) => hour > 12 && hour < 24

/** A text with a clock in place of such an hour, where it can only be one of the day's 24: by the part of the day (`at 8` in the morning), or as one of the afternoon beside a day (`alle 18`). */
export const withHourAlone = (text: string, part: string): string =>
  text.replace(HOUR_ALONE, (hour, _last, behind = '', _first, day?: string) => {
    const isBesideDay = day === undefined ? behind === '' || isRelativeDay(behind.trim()) : isRelativeDay(day)
    if (part === '') return isBesideDay && isOfAfternoon(Number(hour)) ? `${hour}:00` : hour
    return day === undefined || isBesideDay ? `${hour}:00` : hour
  })

const AT_FIRST = new RegExp(String.raw`^${AT}\s+(?=\d|${HOUR_WORD}\s*\d)`, 'iu')
/** "At" in Hebrew, which stands at the clock itself: `ב-7:30`. */
const AT_WITHOUT_SPACE = /(?<!\p{L})ב-?(?=\d)/u
/** "At" as an ending, in Hungarian and Turkish: `14:30-kor`, `saat 14'te`. */
const AT_BEHIND = /(?:saat\s+)?(?<![\p{L}\d:.])(\d{1,2}(?:[:.]\d{2})?)(?:-kor|'[dt][ae])$/iu
/** Words that make a time inexact, with "at" before them; a plan takes the time itself. */
const ABOUT = new RegExp(
  String.raw`(?<![\p{L}\d])(?<before>(?:${AT}|${HOUR_WORD})\s+)?(?:(?:around|about|approx(?:imately|\.)?|roughly|exactly|circa|ca?\.|vers|environ|gegen|ungefähr|etwa|verso(?: le)?|(?:hacia|sobre)(?: las?)?|alrededor de(?: las?)?|por volta d[ae]s?|rond|omstreeks|około|около|kolem|omkring|sekitar|khoảng)\s+|~\s*)(?=\d|${HOUR_WORD}\s*\d)`,
  'iu',
)
/** The same behind a time. */
const ABOUT_BEHIND =
  /(?<=\d\s?(?:[ap]\.?m\.?)?)(?:-?ish|\s*(?:頃|ごろ|左右|쯤|경)|\s+(?:civarında|sharp|on the dot))(?!\p{L})/iu

/** A text with "at" alone before its time, and without what makes the time inexact or stands behind it. */
export const withPlainClock = (text: string): string =>
  text
    .replace(ABOUT, (_, before = 'at ') => before)
    .replace(ABOUT_BEHIND, '')
    .replace(AT_WITHOUT_SPACE, 'at ')
    .replace(AT_BEHIND, 'at $1')
    .replace(AT_FIRST, '')

export const NOT_A_RANGE = 'write one time, not from when to when'
/** From one time to another, which may also be a time with an offset: `6:00-7:30`, `6-7am`, `5 to 7 pm`, `5pm to 7pm`, `between 6 and 7`. */
const RANGE =
  /\d{1,2}:\d{2}\s*(?:[-–]|to|until|till)\s*\d{1,2}:\d{2}|\d\s*(?:[ap]\.?m\.?\s*)?(?:[-–]|to|until|till)\s*\d{1,2}(?::\d{2})?\s*[ap]\.?m\b|\bbetween\s+\d.*\sand\s+\d|\bfrom\s+\d.*\sto\s+\d/i
/** Words before a time that make it the first or the last one of a range: `after 6pm`, `nach 18 Uhr`. */
const BEFORE_OPEN_RANGE =
  "by|before|after|until|till|from|no later than|après|avant|à partir de|jusqu'à|nach|vor|ab|bis|dopo le|prima delle|entro le|después de las?|antes de las?|a partir de las?|depois d[ae]s|antes d[ae]s|na|voor|vanaf|tot|po|przed|после|до|efter|före|før|setelah|sebelum"
/** The same behind it: `6pm or later`, `18時以降`. */
const BEHIND_OPEN_RANGE =
  "or later|or earlier|at the latest|at the earliest|以降|以后|以後|之后|之後|之前|以前|までに?|이후|이전|까지|'?[dt][ae]n (?:sonra|önce)"
const OPEN_RANGE = new RegExp(
  String.raw`(?<!\p{L})(?<before>${BEFORE_OPEN_RANGE})\s+(?:${CLOCK}|\d{1,2}\s?(?:h|uhr|uur)?(?!\p{L}|\d))|\d\s*(?:[ap]\.?m\.?)?\s*(?<behind>${BEHIND_OPEN_RANGE})`,
  'iu',
)

/** A hint for words with a range in place of a time, as an end of the error; empty if they have none. */
export function rangeHint(words: string): string {
  if (RANGE.test(words)) return `; ${NOT_A_RANGE}`
  const { before, behind = before } = OPEN_RANGE.exec(words)?.groups ?? {}
  return behind === undefined ? '' : `; write one time, without "${behind}"`
}
