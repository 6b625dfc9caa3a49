import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPublisher } from '../../../warehouse/replica/published.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { memoryStore } from '../objects/memory-store.ts'

/** A folder of snapshots with one of this id, whose one file has this text. */
async function snapshotOf(id: string, text: string): Promise<string> {
  const folder = await temporaryFolder()
  await mkdir(join(folder, id))
  await writeFile(join(folder, id, 'waits.json'), text)
  return folder
}

const FIRST = '20261122T100000Z'
const SECOND = '20261122T100100Z'
const contentsOf = ({ objects }: ReturnType<typeof memoryStore>) =>
  [...objects.keys()].filter((key) => key.startsWith('snapshot-files/'))

test('contents that are being published are not deleted by a sweep beside them', async () => {
  let sweepBeside: () => Promise<unknown> = async () => undefined
  const store = memoryStore({
    after: async (method, key) => {
      if (method === 'put' && key.startsWith('snapshot-files/')) void sweepBeside()
    },
  })
  const publisher = openPublisher(store)
  await publisher.takeOver(1)
  const swept: Promise<number>[] = []
  sweepBeside = async () => swept.push(publisher.sweep())
  await publisher.publish(await snapshotOf(FIRST, 'first'), FIRST)
  expect(await Promise.all(swept)).toEqual([0])
  expect(contentsOf(store)).toHaveLength(1)
})

test('a leader that was frozen in a sweep deletes nothing of its successor', async () => {
  let atList: () => Promise<void> = async () => undefined
  const store = memoryStore({
    before: async (method) => {
      if (method === 'list') await atList()
    },
  })
  const frozen = openPublisher(store)
  await frozen.takeOver(1)
  await frozen.publish(await snapshotOf(FIRST, 'first'), FIRST)
  const successor = openPublisher(store)
  atList = async () => {
    await successor.takeOver(2)
    await successor.publish(await snapshotOf(SECOND, 'second'), SECOND)
  }
  await expect(frozen.sweep()).rejects.toMatchObject({ code: 'WRITE_FENCED' })
  expect(contentsOf(store)).toHaveLength(2)
})
