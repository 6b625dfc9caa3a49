import { describe, expect, it } from 'vitest'
import { wordsInOrder } from '../../../pipeline/parsing/page.ts'

describe('wordsInOrder', () => {
  it('gives each piece of text once, in reading order, with the tag that holds it', () => {
    const page =
      '<body><h3>Wait <b>times</b> now</h3><script>9 min</script><style>p{}</style><!-- 8 min --><p> 7\n min </p></body>'
    expect(wordsInOrder(page)).toEqual([
      { text: 'Wait', tag: 'h3' },
      { text: 'times', tag: 'b' },
      { text: 'now', tag: 'h3' },
      { text: '7 min', tag: 'p' },
    ])
  })

  it('walks a page nested as deep as any that is read', () => {
    const depth = 2_000
    expect(wordsInOrder(`${'<i>'.repeat(depth)}7 min${'</i>'.repeat(depth)}`).at(-1)?.text).toBe('7 min')
  })
})
