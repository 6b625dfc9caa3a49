/** Makes names of one terminal equal: "Terminal 04", "T4" and "4" become "4". An empty name stays empty. */
export const normalizeTerminalName = (terminal: string) =>
  terminal
    .trim()
    .toLowerCase()
    .replace(/^terminal\s*(?=\S)|^t\s*(?=\d)/, '')
    .replace(/^0+(?=.)/, '')
