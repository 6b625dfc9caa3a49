import {
  INVALID_PARAMS,
  type JSONRPCMessage,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { messageOf, parameterName } from '../queries/parameter-faults.ts'

/** Makes a transport send the SDK's errors in plain words. The SDK answers wrong parameters with its validator's output. */
export function sendPlainErrors(transport: Transport): void {
  const send = transport.send.bind(transport)
  transport.send = (message: JSONRPCMessage, options?: TransportSendOptions) => send(withPlainError(message), options)
}

function withPlainError(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message
  const plain = plainMessage(message.error.message)
  return plain === null ? message : { ...message, error: { ...message.error, code: INVALID_PARAMS, message: plain } }
}

/** The plain form of an error message that contains the validator's list of issues; null for any other message. */
export function plainMessage(message: string): string | null {
  const start = message.indexOf('[\n')
  const issues = start === -1 ? null : issuesOf(message.slice(start))
  if (!issues) return null
  const faults = issues.map((issue) => {
    const path = issue.path[0] === 'params' ? issue.path.slice(1) : issue.path
    const name = path.length === 0 ? 'params' : parameterName(path)
    // JSON cannot say that a value is missing, so only the validator's text does.
    const hint = name === 'protocolVersion' ? `, one of ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}` : ''
    return `${name}: ${issue.message.endsWith('received undefined') ? 'is required' : messageOf(issue)}${hint}`
  })
  return `Invalid params: ${faults.join('; ')}`
}

function issuesOf(text: string): z.core.$ZodIssue[] | null {
  try {
    const parsed: unknown = JSON.parse(text)
    const isIssue = (issue: unknown) =>
      typeof issue === 'object' && issue !== null && 'path' in issue && 'message' in issue
    return Array.isArray(parsed) && parsed.every(isIssue) ? (parsed as z.core.$ZodIssue[]) : null
  } catch {
    return null
  }
}
