/** A number with its noun: `1 minute`, `2 minutes`, `2,157 hours`. */
export const countText = (count: number, noun: string, plural = `${noun}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`
