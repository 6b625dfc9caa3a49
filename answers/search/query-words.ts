import { distance } from 'fastest-levenshtein'
import { fold } from '../../config/airports/search/fold.ts'
import { countryCode } from '../../config/reference/countries.ts'

/** Different ways to write a word of a name. */
const SAME_WORD = new Map(
  Object.entries({
    st: 'saint',
    ste: 'saint',
    sankt: 'saint',
    sint: 'saint',
    szt: 'saint',
    ft: 'fort',
    mt: 'mount',
    pt: 'port',
    intl: 'international',
    int: 'international',
    arpt: 'airport',
    apt: 'airport',
    rgnl: 'regional',
    regl: 'regional',
    natl: 'national',
  }),
)

/** Words that say that something is an airport, or what one does there, in the languages of travellers. */
const ABOUT_AIRPORTS = new Set(
  `airport airports airfield aerodrome airstrip airpark airbase afb heliport intl international regional municipal
  terminal terminals building gate gates concourse pier arrivals departures departure arrival check checkin security lounge parking
  precheck tsa fasttrack queue queues customs immigration passport checkpoint checkpoints
  baggage flight flights flying fly ticket tickets hub code iata icao faa
  aeropuerto aeropuertos internacional aeroporto aeroportos internacional aeroport aeroports internationale internazionale
  flughafen flughaefen lufthavn lufthamn flygplats flyplass luchthaven vliegveld lotnisko letiste letisko repuloter
  lennujaam lentoasema lentokentta flugvollur havalimani havaalani havalimanlari uluslararasi hava limani
  aerodrom zracna luka letalisce aeroportul aerogare vliegveld bandara bandar udara lapangan terbang
  uluslararasi miedzynarodowy lotniczy nemzetkozi mezinarodni
  аэропорт аэропорта аэропорту аеропорт международныи международный міжнародний летище терминал терминала
  αεροδρομιο αερολιμενας αερολιμένας διεθνης διεθνες κρατικος
  مطار المطار الدولي الدولى فرودگاه فرودكاه بين المللي
  נמל תעופה שדה התעופה
  हवाईअडडा हवाई अडडा विमानतल`
    .split(/\s+/)
    .map(fold),
)

/** "san bay" and "port lotniczy" are about airports, "san" and "port" are parts of names. */
const PHRASES_ABOUT_AIRPORTS = [
  'san bay quoc te',
  'san bay',
  'port lotniczy',
  'air base',
  'hava limani',
  'bandar udara',
  'air force base',
  'how to get to',
  'going to',
  'travel to',
  'near me',
  'fast track',
  'fast lane',
  'security lane',
  'wait times',
  'wait time',
]

/** Words beside the name of a place that say what is there and are no part of the name: "Yellowstone National Park", "Port of Barcelona". */
const ABOUT_PLACE =
  /^(?:port|university) of |\s(?:national park|university|cruise(?: port)?|cruise ship port|port|(?:train |railway )?station|centr(?:al|aal|ale)|hauptbahnhof|hbf|convention cent(?:er|re)|hotel zone|(?:metro )?area)$/

/** The place in a text that also says what is there. */
export const placeAlone = (text: string): string => text.replace(ABOUT_PLACE, '')

/** A part of an airport behind its name or code: "Gatwick North", "SYD domestic". */
const PART_OF_AIRPORT = /\s(?:north|south|east|west|central|main|domestic|satellite)$/

/** The airport in a text that also names a part of it. */
export const airportAlone = (text: string): string => text.replace(PART_OF_AIRPORT, '')

/** Words without a meaning of their own in a name. */
const FILL_WORDS = new Set(
  `city a an the in at near to from of for and by on via my our with into
  de del della dello dei di da do dos das du des le la las los el il lo les l d en y e et und am an der die das im in zu nach bei von
  van den het op te na w do v ve z i af og och til fra pa
  u iz
  в на из до во у від з із στη στην στο από аэропорту`
    .split(/\s+/)
    .map(fold),
)

/** Words for the time of a flight. Words that are part of a name stay: "noon" and "tarde". */
const TIME_WORDS = new Set(
  `this today tonight tomorrow morning afternoon evening night midnight heute jetzt morgen abend nachmittag demain matin soir maintenant
  manana ahora noche oggi domani adesso stasera mattina pomeriggio hoje amanha noite vandaag ochtend middag avond`.split(
    /\s+/,
  ),
)

/** Words of questions. A text of them and of words about airports names no place: "Can I fly" is not Can, a name of Caen. */
const QUESTION_WORDS = new Set(
  `about allowed am any are best better big biggest boarding bring busiest busy can carry cheapest children closest could day days delay delayed delays did do documents does earliest early ever fast forecast get getting go going good got
  has have hello help hi hotel hotels how i if is it largest late leave line lines long longest luggage make me much must my nearest need normal now off on ok please quick quickest
  quiet quietest right see shall should shortest shuttle slow small smallest so soon take taxi tell traffic thank thanks than that then there they think time times too usual
  usually visa wait waiting want was we weather what when where which who why will with without worst would yes you your`.split(
    /\s+/,
  ),
)

/** The words for "airport" in scripts that are written without spaces, the longest first, and a terminal by its number: 成田第1, 2号航站楼, 首都T3. */
export const UNSPACED_WORDS =
  /国际机场|國際機場|国际空港|國際空港|国际航空港|機場|机场|空港|飛行場|第?[\d一二三四五]+[号號]?(?:旅客)?(?:航站楼|航站樓|航廈|候机楼|ターミナル)|(?<=[\p{Script=Han}\p{Script=Hangul}])(?:第\d|T\d)(?!\d)|航站楼|국제공항|공항|ท่าอากาศยานนานาชาติ|ท่าอากาศยาน|สนามบินนานาชาติ|สนามบิน|ភ្នំ?អាកាសយានដ្ឋាន|ສະໜາມບິນ/gu

const NUMBERED_PART = /^(t|terminal|gate|concourse|pier|hall)$/
const PART_NUMBER = /^(\d{1,3}[a-z]?|[a-z]\d{0,3}|one|two|three|four|five|six|seven|eight)$/
const TERMINAL = /^t\d[a-z]?$/

/** Words after this many are not looked at: no name is longer, and each costs time. */
const MAX_WORDS = 6

export interface QueryWords {
  /** The words that must be found. */
  words: string[]
  /** The whole text as it is compared, with all words. */
  text: string
}

/** Letters with marks, and those of other scripts. */
export const HAS_MARKS = /[^\0-\x7f]/

/** The form under which a word is compared: saint for st. */
export const sameWord = (word: string) => SAME_WORD.get(word) ?? word

/** The words of a name as they are compared. */
export function wordsOf(text: string): string[] {
  return fold(text)
    .split(' ')
    .filter((word) => word !== '')
    .map(sameWord)
}

export const isAboutAirports = (word: string) => ABOUT_AIRPORTS.has(word)
const LONG_WORDS_ABOUT_AIRPORTS = [...ABOUT_AIRPORTS].filter((word) => word.length >= 7)
/** Whether a word has one typing error and is otherwise about airports: "aiport", "internatonal". */
export const isLikeWordAboutAirports = (word: string) =>
  word.length >= 6 &&
  LONG_WORDS_ABOUT_AIRPORTS.some((other) => Math.abs(other.length - word.length) <= 1 && distance(other, word) <= 1)
export const isFillWord = (word: string) => FILL_WORDS.has(word)
/** Whether a word says nothing of a place, so that no name begins or ends with it. */
export const isNoName = (word: string) => isAboutAirports(word) || isFillWord(word) || TIME_WORDS.has(word)
export const isQuestionWord = (word: string) => QUESTION_WORDS.has(word)
/** Whether several words are a question without a place, or mean an airport that they do not name: "the airport". */
export const isQuestionAlone = (words: readonly string[]) =>
  words.some((word) => QUESTION_WORDS.has(word) || word === 'the') &&
  words.every((word) => QUESTION_WORDS.has(word) || isNoName(word))

/**
 * Words between two alternative places: "JFK or Newark", "München / Salzburg". The Dutch words are not among them, because "of"
 * and "en" mean something else in English and French: "north of London", "hôtel en Paris".
 */
const BETWEEN_PLACES =
  /\s*[,;/|+&]\s*|\s+(?:or|vs|vs\.|versus|and|oder|und|ou|et|o|y|e|och|eller|og|lub|czy|ve|veya|или|и)\s+/iu
const MAX_PLACES = 4
/** Two codes in capitals with a dash or an arrow between them: "JFK-LAX". */
const CODES_OF_ROUTE = /^\s*([A-Z]{3})\s*(?:[-–—>→]|->)\s*([A-Z]{3})\s*$/
/** Several with spaces alone between them: "DEN ORD". */
const CODES_APART = /^\s*[A-Z]{3}(?:\s+[A-Z]{3})+\s*$/

export const isRouteOfCodes = (query: string): boolean => CODES_OF_ROUTE.test(query)
/** Of "YVR USA" the second is a country. */
export const areCodesApart = (query: string): boolean =>
  CODES_APART.test(query) &&
  query
    .trim()
    .split(/\s+/)
    .every((code) => countryCode(code) === null)

/** The places of a text that may name several, at most the first four; the text alone if nothing separates them. */
export const placesIn = (query: string): string[] =>
  (CODES_OF_ROUTE.exec(query)?.slice(1) ?? query.split(areCodesApart(query) ? /\s+/ : BETWEEN_PLACES))
    .map((place) => place.trim())
    .filter((place) => place !== '')
    .slice(0, MAX_PLACES)

/** A state or province by its two letters behind a comma: "Springfield, IL", "Hamilton, ON". Elsewhere they are words without a meaning. */
const STATE = /,\s*(?:il|in|or|on|de|la)\s*$/i

/** A text in capitals alone does not tell codes from words: "KEY WEST". */
export const isInCapitals = (query: string): boolean => query === query.toUpperCase()

/** In "DEN South" the first word is the code of an airport rather than a German article. */
export const CODE_IN_CAPITALS = /(?<!\p{L})[A-Z]{3}(?!\p{L})/gu

/** Takes a search text apart. Words that are not about a name are left out, unless there are no others. */
export function queryWords(query: string): QueryWords {
  let text = wordsOf(query.replace(UNSPACED_WORDS, ' ')).join(' ')
  if (text.includes(' '))
    for (const phrase of PHRASES_ABOUT_AIRPORTS) text = ` ${text} `.replace(` ${phrase} `, ' ').trim()
  const all = text.split(' ').filter((word) => word !== '')
  const named = all.filter((word, index) => {
    if (all.length === 1) return true
    if (TERMINAL.test(word)) return false
    if (NUMBERED_PART.test(word) && PART_NUMBER.test(all[index + 1] ?? '')) return false
    return !(index > 0 && NUMBERED_PART.test(all[index - 1]!) && PART_NUMBER.test(word))
  })
  const names = named.filter((word) => !isAboutAirports(word) && !TIME_WORDS.has(word))
  const codes: readonly string[] = isInCapitals(query) && names.length > 1 ? [] : (query.match(CODE_IN_CAPITALS) ?? [])
  const isCode = (word: string) => codes.includes(word.toUpperCase())
  // "GOT airport" has a code, and "Normal, IL" a state.
  const isOfPlace = HAS_MARKS.test(query) || STATE.test(query) || all.some(isCode)
  if (all.length > 1 && !isOfPlace && isQuestionAlone(all)) return { words: [], text: '' }
  const words = names.filter(
    (word, index) => !isFillWord(word) || isCode(word) || (index === names.length - 1 && STATE.test(query)),
  )
  return { words: (words.length > 0 ? words : names).slice(0, MAX_WORDS), text: names.join(' ') }
}
