import { tableDictionary } from '../../../warehouse/tables/dictionary.ts'
import type { Resource } from './define-resource.ts'

export const tablesResource: Resource = {
  uri: 'holdshort://tables',
  name: 'tables',
  title: 'Table dictionary',
  description:
    'Every table of the warehouse with its key, its folders and the meaning and unit of each column. Read it before writing SQL for `holdshort query` or reading exported files.',
  mimeType: 'text/markdown',
  read: tableDictionary,
}
