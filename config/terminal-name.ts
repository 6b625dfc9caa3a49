/** "Terminal 04", "T4" and "4" are one terminal; no name is none. */
export const normalizeTerminalName = (terminal: string) =>
  terminal
    .trim()
    .toLowerCase()
    .replace(/^terminal\s*(?=\S)|^t\s*(?=\d)/, '')
    .replace(/^0+(?=.)/, '')
