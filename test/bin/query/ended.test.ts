import { fork } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { IN_CHILD } from '../../../bin/query/statement.ts'
import { CLI } from '../../../bin/runtime/supervised-child.ts'
import { newWarehouse } from '../../warehouse/new-warehouse.ts'

test('a statement whose command was ended ends without the trace of a fault', async () => {
  const warehouse = await newWarehouse()
  const { data_dir } = warehouse
  await warehouse.close()
  const child = fork(CLI, ['query', 'SELECT sum(hash(range)) FROM range(100000000)', '--data-dir', data_dir], {
    silent: true,
    env: { ...process.env, [IN_CHILD]: String(process.pid) },
  })
  const stderr = text(child.stderr!)
  await once(child, 'message')
  child.send('opened', () => child.disconnect())
  expect((await once(child, 'exit'))[0]).toBe(0)
  expect(await stderr).toBe('')
})
