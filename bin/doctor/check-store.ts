import { readFile } from 'node:fs/promises'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { requirePreconditions } from '../../warehouse/objects/preconditions.ts'
import { openS3 } from '../../warehouse/objects/s3.ts'
import { readHead } from '../../warehouse/replica/head.ts'
import { leadHolder } from '../../warehouse/replica/lead.ts'
import { type Verdict, warning, wrong } from './finding.ts'

/** Whether the bucket can be used and obeys preconditions, who leads, and what it holds. Writes and deletes one small object. */
export async function checkStore(settings: Settings): Promise<Verdict> {
  const store = openS3(settings)
  await requirePreconditions(store)
  const head = await readHead(store)
  if (head === null || head === 'unchanged') return `${store.address} can be used; it holds nothing yet`
  const mark = await readFile(dataPaths(settings.data_dir).store_mark, 'utf8').catch(() => null)
  const installation = mark === null ? null : (JSON.parse(mark) as { installation?: string }).installation
  if (installation !== null && installation !== head.head.installation)
    return wrong(`${store.address} holds another installation than ${settings.data_dir}; correct HOLDSHORT_STORE`)
  const leader = await leadHolder(store)
  const { sequence, written_at } = head.head
  const text = `${store.address} has ${head.files.size} files, version ${sequence} of ${written_at}`
  if (leader === null) return warning(`${text}; no pipeline leads: start \`holdshort work\``)
  const accounts =
    settings.database_url === undefined
      ? '; accounts and keys are NOT in it: set DATABASE_URL, or run `holdshort backup`'
      : ''
  const says = `${text}; the pipeline on ${leader.machine} leads since ${leader.since}${accounts}`
  return accounts === '' ? says : warning(says)
}
