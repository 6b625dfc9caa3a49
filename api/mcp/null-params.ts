import { isObject } from '../../config/json-object.ts'

/**
 * A message without null members of its `params`, which some clients write for what they leave out: `arguments`, `cursor` or all
 * of `params`.
 */
export function withoutNullParams(message: unknown): unknown {
  if (!isObject(message)) return message
  const { params, ...rest } = message
  if (params === null) return rest
  if (!isObject(params) || !Object.values(params).includes(null)) return message
  const present = Object.entries(params).filter(([, value]) => value !== null)
  return { ...rest, params: Object.fromEntries(present) }
}
