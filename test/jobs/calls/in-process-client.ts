import {
  type CallClient,
  type CallImplementation,
  createCallClient,
  unavailable,
} from '../../../jobs/calls/define-call.ts'

/** A client whose calls are answered in this process; a call without an implementation is unavailable. */
export function inProcessClient(...implementations: CallImplementation[]): CallClient {
  return createCallClient(async (call, request) => {
    const implementation = implementations.find(({ name }) => name === call.name)
    if (!implementation) throw unavailable(call, 'is not running')
    return implementation.answer(request)
  })
}
