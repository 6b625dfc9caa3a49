import { expect, it } from 'vitest'
import { keyInWidget } from '../../../pipeline/collectors/den-flyfruition.ts'
import { requestsOf } from './feed-tests.ts'

it('den-flyfruition sends the learned key, and learns only the key of this feed', () => {
  expect(requestsOf('den-flyfruition', { api_key: 'made-up-key' })[0]?.headers['x-api-key']).toBe('made-up-key')
  expect(Object.keys(requestsOf('den-flyfruition')[0]?.headers ?? {})).not.toContain('x-api-key')
  const feed = 'fetch("https://app.flyfruition.com/api/public/tsa",{headers:{"x-api-key":"made-up-key"}})'
  expect(keyInWidget(`h={"x-api-key":"somebody-else"}${' '.repeat(900)}${feed}`)).toEqual({ api_key: 'made-up-key' })
  expect(keyInWidget('h={"x-api-key":"somebody-else"}')).toBeNull()
})
