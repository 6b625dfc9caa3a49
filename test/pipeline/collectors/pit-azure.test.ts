import { expect, it } from 'vitest'
import { pitAzure } from '../../../pipeline/collectors/pit-azure.ts'
import { requestsOf } from './feed-tests.ts'

it('pit-azure sends the learned key, and learns it from the page', () => {
  const header = 'Ocp-Apim-Subscription-Key'
  expect(requestsOf('pit-azure', { subscription_key: 'made-up-key' })[0]?.headers[header]).toBe('made-up-key')
  expect(Object.keys(requestsOf('pit-azure')[0]?.headers ?? {})).not.toContain(header)
  const fromScript = pitAzure.learn?.fromScript
  expect(fromScript?.(`xhr.setRequestHeader('${header}', 'made-up-key')`)).toEqual({
    subscription_key: 'made-up-key',
  })
  expect(fromScript?.('url: "/tsa/wait-times"')).toBeNull()
})
