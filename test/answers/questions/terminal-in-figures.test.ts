import { expect, it } from 'vitest'
import { terminalInFigures } from '../../../answers/questions/terminal-in-figures.ts'

it.each([
  ['terminal cinque', 'Terminal 5'],
  ['terminale due', 'Terminal 2'],
  ['Terminale 2', 'Terminal 2'],
  ['T dos', 'Terminal 2'],
  ['drei', 'Terminal 3'],
  ['терминал 1', 'Terminal 1'],
  ['aérogare 2e', 'Terminal 2E'],
  ['第1ターミナル', 'Terminal 1'],
  ['第二航站楼', 'Terminal 2'],
  ['2号航站楼', 'Terminal 2'],
  ['제2터미널', 'Terminal 2'],
  ['terminale 10', 'Terminal 10'],
  ['терминал 12', 'Terminal 12'],
  ['терминал 25', 'терминал 25'],
  ['第10航站楼', 'Terminal 10'],
  ['第１航站楼', 'Terminal 1'],
  ['Tone', 'Tone'],
  ['teins', 'teins'],
  ['North', 'North'],
  ['Terminal A', 'Terminal A'],
  ['Terminal Sul', 'Terminal Sul'],
  ['4', '4'],
  ['T4S', 'T4S'],
  ['B gates', 'B gates'],
])('%s is %s', (text, meant) => expect(terminalInFigures(text)).toBe(meant))
