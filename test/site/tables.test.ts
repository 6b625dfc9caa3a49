import { parseHTML } from 'linkedom'
import { h, type VNode } from 'preact'
import { expect, test } from 'vitest'
import { renderMarkup } from '../../site/markup/render.ts'
import { Table } from '../../site/pages/elements.tsx'

const JFK = ['JFK', '5 min', ['measured ', h('span', null, '2 min ago')], undefined]
const COLUMNS = ['Airport', { number: 'Wait' }, 'Known how', 'Note']
const drawn = (table: VNode<never>) => parseHTML(renderMarkup(table as VNode)).document

test('a stacked table names the column of every cell, and keeps its roles', () => {
  const rows = [JFK, ['LGA', h('td', { colSpan: 3 }, 'nothing known')]]
  const document = drawn(h(Table, { label: 'Waits', columns: COLUMNS, rows }) as VNode<never>)
  const cells = [...document.querySelectorAll('tbody td')].map((cell) => [
    cell.getAttribute('data-column'),
    cell.textContent.trim(),
    cell.getAttribute('role'),
  ])
  expect(cells).toEqual([
    ['Wait', '5 min', 'cell'],
    ['Known how', 'measured 2 min ago', 'cell'],
    [null, '', 'cell'],
    [null, 'nothing known', 'cell'],
  ])
  const roles = [...document.querySelectorAll('[role]')].map((element) => element.getAttribute('role'))
  expect(roles.slice(0, 4)).toEqual(['region', 'table', 'rowgroup', 'row'])
  expect(roles.filter((role) => role === 'columnheader').length).toBe(4)
  expect(roles.filter((role) => role === 'rowheader').length).toBe(2)
})

test('a table of few columns and one of raw rows stay tables', () => {
  const rows = [JFK]
  for (const table of [
    h(Table, { label: 'Two', columns: ['Day', { number: 'Calls' }], rows }) as VNode<never>,
    h(Table, { label: 'Rows', narrow: 'scroll-rows', columns: COLUMNS, rows }) as VNode<never>,
  ]) {
    const document = drawn(table)
    expect(document.querySelectorAll('[data-column], [role=cell]').length).toBe(0)
    expect(document.querySelector('.scroll')?.classList.contains('stack')).toBe(false)
  }
})
