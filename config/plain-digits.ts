const ASCII = /^[\0-\x7f]*$/
const DIGIT = /\p{Nd}/u

/** A digit of any script: its ten stand in a row, from zero. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  let zero = code
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}

/** A text of a date or a time with plain digits and marks, as keyboards of other scripts have others: `٢٠٢٦`, `２０２６`, `9：00`. */
export const withPlainDigits = (text: string): string =>
  ASCII.test(text) ? text : text.normalize('NFKC').replace(/\p{Nd}/gu, plainDigit)
