import { describe, expect, test } from '@jest/globals'
import { OUTPUTS } from '../../src/options/rows/outputs.ts'
import { Tails } from '../../src/report/last-output.ts'
import { outputsOf, ownOutputs } from '../../src/report/outputs.ts'
import { commentOf, summaryOf } from '../../src/report/summary.ts'
import { at, FIRST, report, status } from './a-run.ts'

const tail = (text: string) => {
  const tails = new Tails()
  tails.push(0, Buffer.from(text))
  return tails.end()
}

describe('the page of a run', () => {
  test('success after a reclaim', () => {
    expect(summaryOf(report({ tails: tail('epoch 1\nepoch 2\n') }))).toMatchSnapshot()
  })

  test('failure: log open, what is kept and how to use it', () => {
    const failed = status({ state: 'failed', outcome: 'script-failed', exitCode: 3, destroyed: false })
    const slots = failed.slots.map((slot) => ({ ...slot, state: 'failed' as const, exitCode: 3, reason: 'exit code 3' }))
    const page = summaryOf(report({ status: { ...failed, slots }, tails: tail('boom\n'), keptUntil: at(86_400) }))
    expect(page).toContain('### ❌ fit: script-failed')
    // The head of the table has it already.
    expect(page).not.toContain('**why**')
    expect(page).toContain('<details open><summary>Log</summary>')
    expect(page).toContain('resume: true')
    expect(page).toContain('command: destroy')
    const fleeting = summaryOf(report({ status: { ...failed, slots }, keptUntil: at(86_400), fleeting: 'hosted machine' }))
    expect(fleeting).toContain('| **kept until** | this hosted machine ends with its job: last checkpoints and logs |')
    expect(fleeting).toContain('give `storage`')
    expect(fleeting).not.toMatch(/npx|command: destroy/)
    const unsaved = slots.map((slot) => ({ ...slot, savedAt: null }))
    const logsOnly = summaryOf(report({ status: { ...failed, slots: unsaved }, keptUntil: at(86_400) }))
    expect(logsOnly).toMatch(/\| \*\*kept until\*\* \| \S+ \S+ UTC: logs \|/)
    expect(logsOnly).toContain('log      npx @iterative/tpi-action logs fit')
    expect(logsOnly).not.toMatch(/resume|pull fit/)
  })

  test('of several machines: which one it was', () => {
    const failed = status({ state: 'failed', outcome: 'script-failed', exitCode: 3, destroyed: false }, 2)
    const slots = failed.slots.map((slot) =>
      slot.index === 0 ? slot : { ...slot, state: 'failed' as const, exitCode: 3, reason: 'exit code 3' },
    )
    expect(summaryOf(report({ status: { ...failed, slots } }))).toContain('| **why** | slot 1: exit code 3 |')
  })

  test('a comment has the ends of as many logs as fit, whole, and says how many it leaves out', () => {
    const failed = status({ state: 'failed', outcome: 'script-failed', exitCode: 3 }, 8)
    const tails = new Tails()
    for (const { index } of failed.slots) tails.push(index, Buffer.from(`${String(index).repeat(99)}\n`.repeat(300)))
    const comment = commentOf(report({ status: failed, tails: tails.end() }), 65_536)
    expect(Buffer.byteLength(comment)).toBeLessThanOrEqual(65_536)
    const shown = comment.split('<details').length - 1
    expect(shown).toBeGreaterThan(0)
    expect(comment.split('</details>').length - 1).toBe(shown)
    expect(comment).toContain(`the log of ${8 - shown} slots`)
  })

  test('what still runs says how to come back', () => {
    const page = summaryOf(
      report({ status: status({ state: 'running', outcome: 'running', exitCode: null, endedAt: null, destroyed: false }) }),
    )
    expect(page).toContain('tpi-action logs fit --follow')
    expect(page).toContain('command: collect')
    expect(page).toContain('It ends on its own at 2026-01-02 04:04 UTC')
  })

  test('text of others cannot leave its place', () => {
    const evil = '</details>\n```\n# big | <img src=x onerror=y> [a](b) @all'
    const hostile = { ...status(), slots: status().slots.map((slot) => ({ ...slot, outputs: { [evil]: evil } })) }
    const page = summaryOf(report({ status: hostile, tails: tail(`${evil}\n\`\`\`\`\`\n`) }))
    const prose = page.replace(/^(`{3,})[\s\S]*?^\1$/gm, '')
    expect(prose).not.toContain('<img')
    expect(prose).not.toContain('# big')
    expect(prose.match(/<details/g)).toHaveLength(prose.match(/<\/details>/g)?.length ?? 0)
  })

  test('stays below the limit whatever comes, and says what it left out', () => {
    const slots = status({}, 300).slots.map((slot) => ({ ...slot, outputs: { v: 'x'.repeat(5000) }, summary: '# own\n'.repeat(30_000) }))
    const tails = new Tails()
    for (let slot = 0; slot < 40; slot += 1) tails.push(slot, Buffer.from('line of log\n'.repeat(20_000)))
    const page = summaryOf(report({ status: { ...status(), slots }, tails: tails.end() }))
    expect(Buffer.byteLength(page)).toBeLessThan(1024 * 1024)
    for (const word of ['of 600 attempts', 'of 300 values', 'the log of 32 slots', 'wrote to TPI_SUMMARY']) expect(page).toContain(word)
  })

  test('load is drawn when there is enough of it', () => {
    const sample = (minute: number) => ({
      at: at(minute * 60),
      cpu: 0.5,
      cores: 4,
      memory: 5e8,
      memoryTotal: 1e9,
      gpus: [{ busy: 0.8, memory: 1, memoryTotal: 2 }],
    })
    const page = summaryOf(report({ samples: new Map([[0, Array.from({ length: 200 }, (_, minute) => sample(minute))]]) }))
    expect(page).toMatch(/xychart-beta\n {2}title "CPU blue, memory red, GPU green"\n {2}x-axis "minutes" 0 --> 199/)
    expect(page.match(/line \[(\d+, ){59}\d+\]/g)).toHaveLength(3)
    expect(summaryOf(report({ samples: new Map([[0, [sample(1)]]]) }))).not.toContain('xychart')
    const close = [0, 10, 20, 80].map((second) => ({ ...sample(0), at: at(second), cpu: second / 200 }))
    expect(summaryOf(report({ samples: new Map([[0, close]]) }))).toContain('x-axis "seconds" 0 --> 80\n')
    // Points are at equal distances in time; close samples are merged.
    expect(summaryOf(report({ samples: new Map([[0, close]]) }))).toContain('  line [3, 10, 10, 40]\n')
  })

  test('nothing is drawn of a run below a minute: its attempts are lines', () => {
    const samples = new Map([[0, [0, 20, 40].map((second) => ({ at: at(second), cpu: 0.5, cores: 4, memory: 5e8, memoryTotal: 1e9 }))]])
    const page = summaryOf(report({ status: status({ endedAt: at(59) }), samples }))
    expect(page).not.toContain('mermaid')
    expect(page).toContain('```text\nattempt 1')
    expect(summaryOf(report({ status: status({ endedAt: at(60) }), samples })).match(/mermaid/g)).toHaveLength(2)
  })

  const saying = (summary: string): string => {
    const own = status()
    return summaryOf(report({ status: { ...own, slots: own.slots.map((slot) => ({ ...slot, summary })) }, tails: tail('the log\n') }))
  }

  test('the words of the program come right after the result', () => {
    const page = saying('## Scores\n\n| a | b |\n| - | - |\n| `1` | 2<br> |\n\n<https://example.com>\n\n~~~html\n<details>\n~~~\n')
    const order = ['**exit code**', '## Scores', 'gantt', 'the log']
    expect(order.map((word) => page.indexOf(word)).toSorted((a, b) => a - b)).toEqual(order.map((word) => page.indexOf(word)))
    expect(saying('<details><summary>More</summary>\n\n<b>x</b></details>').indexOf('More')).toBeLessThan(page.indexOf('gantt'))
  })

  test.each([
    '```\nnever closed',
    '~~~ a\n```\n~~~~b',
    '<details><summary>open</summary>',
    '<!-- no end',
    '<b><i></b></i>',
    '</details>',
    '<details>\n\n`</details>`',
    '<details>\n\n| a |\n| - |\n| </details> |',
    '<details>\n\n\\</details>',
    '<details>\n\n    </details>',
    '<script>alert(1)</script>',
    '<div title="</div>">',
    '<pre>',
    '<?php',
  ])('and last where they do not close all that they open: %j', (words) => {
    const page = saying(words)
    expect(page.endsWith(words)).toBe(true)
    expect(page.lastIndexOf(words)).toBeGreaterThan(page.indexOf('the log'))
  })
})

describe('outputs', () => {
  test('are those of the table', () => {
    const found = outputsOf(report({ artifact: { name: 'tpi-fit', id: '1', url: 'https://x' } }))
    expect(Object.keys(found).filter((name) => !(name in OUTPUTS))).toEqual([])
    expect(found).toMatchObject({
      outcome: 'success',
      'exit-codes': '[0]',
      attempts: '[2]',
      commit: 'abc',
      'output-dir': '/w',
      'artifact-id': '1',
      'machine-hours': '0.0333',
    })
  })

  test('cost is hours times price: 0 where machines cost nothing, left out where the price is not known', () => {
    const cost = (price: number | undefined) => [
      outputsOf(report({ price }))['cost'],
      /\*\*cost\*\* \| ([^|]*) \|/.exec(summaryOf(report({ price })))?.[1],
    ]
    expect(cost(undefined)).toEqual([undefined, 'unknown: the cloud gives no price'])
    expect(cost(0)).toEqual(['0', 'none: the machines cost nothing'])
    expect(cost(3)).toEqual(['0.1', 'about 0.1 USD, at 3 USD per machine-hour; storage and traffic are not included'])
  })

  test('machine-hours count until the end, the last sign of life, or now: not what lies between two machines', () => {
    const slot = { ...status().slots[0]!, state: 'running' as const, attempts: [FIRST, { epoch: 2, holder: 'm-2', start: at(3600) }] }
    const running = status({ state: 'running', outcome: 'running', endedAt: null, slots: [slot] })
    expect(outputsOf(report({ status: running, now: new Date(at(3600 + 120)) }))['machine-hours']).toBe('0.05')
    expect(outputsOf(report({ status: status({ slots: [{ ...slot, attempts: [] }] }) }))['machine-hours']).toBe('0')
  })

  test.each(['exit.code', 'outcome<<X\nsuccess\nX\nzz', 'a=b', 'a b', '', '-x', '1x', 'ünter', 'outcome\r', 'x'.repeat(200)])(
    'of the program are none with the name %j',
    (name) => {
      const slots = status().slots.map((slot) => ({ ...slot, outputs: { good: '1', [name]: 'forged' } }))
      const own = ownOutputs(report({ status: { ...status(), slots } }), Object.keys(OUTPUTS))
      expect([own.values, [...own.refused.keys()]]).toEqual([{ good: '1' }, [name]])
    },
  )

  test("of the program are its own, unless they have the name of one of tpi's outputs", () => {
    const slots = status().slots.map((slot) => ({ ...slot, outputs: { accuracy: '1', Exit_Code: 'forged' } }))
    expect(ownOutputs(report({ status: { ...status(), slots } }), Object.keys(OUTPUTS))).toEqual({
      values: { accuracy: '1' },
      refused: new Map([['Exit_Code', 'tpi has an output of that name']]),
    })
    expect(ownOutputs(report({ status: status({}, 2) }), [])).toEqual({ values: {}, refused: new Map() })
  })
})

describe('the end of a log', () => {
  test('is its last lines, redrawn ones in their final state', () => {
    const { text, cut, bytes } = tail(`${'early\n'.repeat(500)}1%\r50%\r100%\nlast`).get(0) ?? { text: '', cut: false, bytes: 0 }
    expect(text.endsWith('early\n100%\nlast\n')).toBe(true)
    expect([cut, bytes, text.split('\n').length]).toEqual([true, 3016, 151])
  })

  test('of one endless line is its end', () => {
    const found = tail('x'.repeat(1_000_000)).get(0)
    expect([found?.cut, (found?.text.length ?? 0) < 30_000]).toEqual([true, true])
  })
})
