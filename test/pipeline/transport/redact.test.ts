import { expect, it } from 'vitest'
import { redactKeys } from '../../../pipeline/transport/redact.ts'

it.each([
  ['https://api.example/raw?Key=made-up-key: 403', { api_key: 'made-up-key' }, 'https://api.example/raw?Key=***: 403'],
  ['?input=%22made%20up%20key%22', { token: 'made up key' }, '?input=%22***%22'],
  ['version 140', { api_version: '140' }, 'version 140'],
  ['nothing learned', undefined, 'nothing learned'],
])('redactKeys: %s', (text, learned, shown) => {
  expect(redactKeys(text, learned)).toBe(shown)
})
