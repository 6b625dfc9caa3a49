import { expect, test } from 'vitest'
import { mcp, openConnected, refresh } from './flow.ts'

test('discovery, registration, approval, token, call, refresh', async () => {
  const { harness, client } = await openConnected()
  expect((await mcp(harness, client.access_token)).statusCode).toBe(200)
  const renewed = await refresh(harness, client)
  expect(renewed.statusCode, renewed.body).toBe(200)
  expect((await mcp(harness, renewed.json().access_token)).statusCode).toBe(200)
})
