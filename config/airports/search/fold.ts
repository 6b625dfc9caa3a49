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
}
/** Traditional Chinese characters of place names, each before its simplified form. */
const TRADITIONAL =
  '臺台紐纽約约東东廣广島岛灣湾國国門门蘭兰羅罗倫伦馬马爾尔維维納纳亞亚達达聖圣華华頓顿磯矶舊旧溫温開开貝贝邁迈龍龙長长陽阳寧宁濟济鄭郑慶庆漢汉無无錫锡蘇苏濱滨連连關关韓韩內内畢毕萊莱諾诺魯鲁鳳凤費费薩萨澤泽瑪玛貢贡葉叶堅坚賓宾紹绍蓋盖蒙蒙奧奥麗丽贊赞嶺岭樂乐慮虑黃黄漁渔應应戶户莊庄鹽盐衛卫義义豐丰縣县鎮镇營营園园機机場场際际綿绵陝陕貴贵灘滩熱热爭争'
for (let index = 0; index < TRADITIONAL.length; index += 2) LETTERS[TRADITIONAL[index]!] = TRADITIONAL[index + 1]!
const SPECIAL_LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')
const PLAIN = /^[a-z0-9]+(?: [a-z0-9]+)*$/
const ASCII = /^[\0-\x7f]*$/

/**
 * A text for comparing names: lower case, without accents and punctuation, words separated by one space. "Sao Paulo" and
 * "São Paulo" are equal, so are "L.A." and "LA", "O'Hare" and "OHare".
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (PLAIN.test(lower)) return lower
  let folded = ASCII.test(lower) ? lower : plainLetters(lower)
  if (folded.includes('.')) folded = folded.replace(/(?<![\p{L}\p{N}])(\p{L})\.(?=\p{L}(?![\p{L}\p{N}]))/gu, '$1')
  return folded
    .replace(/['’‘ʻʼ`´ʿʾ\u200b-\u200f\u0640]/g, '')
    .replace(/[^\p{L}\p{N}\p{Mc}]+/gu, ' ')
    .trim()
}

const plainLetters = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .replace(SPECIAL_LETTER, letterOf)
    .normalize('NFC')

const letterOf = (letter: string) => LETTERS[letter] ?? letter
