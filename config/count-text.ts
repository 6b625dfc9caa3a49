/** A number with its noun: `1 minute`, `2 minutes`. */
export const countText = (count: number, noun: string, plural = `${noun}s`) => `${count} ${count === 1 ? noun : plural}`
