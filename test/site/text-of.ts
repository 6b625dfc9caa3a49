/** The words of a page, without its styles, scripts and pictures, with one space between two. */
export const textOf = (html: string): string =>
  html
    .replace(/<(style|svg|script)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
