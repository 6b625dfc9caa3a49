/** What the page says after something was done. */
const SAID = {
  created: 'The alert is armed.',
  created_unheard: 'The alert is armed, but no browser is connected yet: connect one below, or it cannot tell you.',
  removed: 'The alert is removed.',
  connected: 'The browser is connected. Send a test to see that it works.',
  disconnected: 'The browser is disconnected.',
  test_sent: 'The push service has taken the test. It should show within a minute.',
  test_waiting: 'The push service could not be reached, or is busy. The test is tried again by itself.',
  test_dropped: 'The push service refused the test. Disconnect the browser and connect it again.',
  test_gone: 'That browser is no longer reachable and was disconnected. Connect it again.',
} as const
export type Said = keyof typeof SAID

export const isSaid = (word: unknown): word is Said => typeof word === 'string' && Object.hasOwn(SAID, word)

/** The sentence as HTML. */
export const saidLine = (said: Said) => `<p class="lead" role="status">${SAID[said]}</p>`
