/** Letters that Unicode does not decompose into a base letter and a mark. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ə: 'e',
  // Arabic letters that are typed in several ways.
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
  // The traditional form in the name of Taiwan's cities and the common one.
  臺: '台',
}
const SPECIAL_LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')
const PLAIN = /^[a-z0-9 ]*$/

/**
 * A text for comparing names: lower case, without accents and punctuation, words separated by one space. "Sao Paulo" and
 * "São Paulo" are equal, so are "L.A." and "LA", "O'Hare" and "OHare".
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (PLAIN.test(lower)) return lower.replace(/ +/g, ' ').trim()
  return lower
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .replace(SPECIAL_LETTER, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC')
    .toLowerCase()
    .replace(/(?<![\p{L}\p{N}])(\p{L})\.(?=\p{L}(?![\p{L}\p{N}]))/gu, '$1')
    .replace(/['’‘ʻʼ`´ʿʾ\u200b-\u200f\u0640]/g, '')
    .replace(/[^\p{L}\p{N}\p{Mc}]+/gu, ' ')
    .trim()
}
