/**
 * The response to a request within an answer of the SDK, as JSON: the body itself, or the message with a result or an error
 * within an event stream. Notifications before it, such as progress, are dropped. Null when there is no response.
 */
export async function responseMessage(answer: Response): Promise<string | null> {
  if (answer.body === null) return null
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return (await answer.text()) || null
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return null
      text += value
      const events = text.split('\n\n')
      text = events.pop()!
      const response = events.map(messageOf).find((message) => message !== null && isResponse(message))
      if (response) return response
    }
  } finally {
    await reader.cancel()
  }
}

/** The message of one event; null for an event without one, such as a keep-alive. */
function messageOf(event: string): string | null {
  const lines = event.split('\n').filter((line) => line.startsWith('data:'))
  return lines.length === 0 ? null : lines.map((line) => line.slice(5).trimStart()).join('\n')
}

function isResponse(message: string): boolean {
  if (message === '') return false
  const parsed = JSON.parse(message) as object
  return 'result' in parsed || 'error' in parsed
}
