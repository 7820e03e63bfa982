import { describe, expect, test } from '@jest/globals'
import { LONGEST_LINE, REDRAW_EVERY, Redraw } from '../../src/lib/redraw.ts'

function pipe(start = 0) {
  let now = start
  const redraw = new Redraw({ redraws: false, now: () => now })
  return {
    push: (text: string, label?: string) => redraw.push(Buffer.from(text), label),
    end: () => redraw.end(),
    wait: (milliseconds: number) => void (now += milliseconds),
  }
}

describe('where nothing can be redrawn', () => {
  test('lines pass, with any line end, also across cuts', () => {
    const p = pipe()
    expect(p.push('one\ntw') + p.push('o\r') + p.push('\nthree') + p.end()).toBe('one\ntwo\nthree\n')
  })

  test('a progress line is shown at once, then at most every 15 s, and its final state always', () => {
    const p = pipe()
    let out = p.push('1%\r2%\r')
    for (let percent = 3; percent < 100; percent += 1) {
      p.wait(REDRAW_EVERY / 10)
      out += p.push(`${percent}%\r`)
    }
    out += p.push('100%\n')
    const lines = out.trimEnd().split('\n')
    expect(lines.length).toBeLessThan(15)
    expect(lines.at(-1)).toBe('100%')
  })

  test('an hour of redrawing is less than 300 lines', () => {
    const p = pipe()
    let out = ''
    for (let tick = 0; tick < 36_000; tick += 1) {
      p.wait(100)
      out += p.push(`step ${tick}\r`)
    }
    expect((out + p.end()).trimEnd().split('\n').length).toBeLessThan(300)
  })

  test('a line that never ends is shown piece by piece, and nothing of it is lost or kept', () => {
    const p = pipe()
    const text = '\u001b[1mworking\u001b[0m.'.repeat(50_000)
    let out = ''
    let most = 0
    // Some cuts are inside colour sequences.
    for (let at = 0; at < text.length; at += 997) {
      out += p.push(text.slice(at, at + 997))
      most = Math.max(most, at - out.length)
    }
    expect(most).toBeLessThan(LONGEST_LINE + 1000)
    expect((out + p.end()).replaceAll('\n', '')).toBe(text)
  })

  test('if nobody else prints, one very long line stays one line', () => {
    const redraw = new Redraw({ redraws: false, joins: true, now: () => 0 })
    const text = `${'x'.repeat(5e6)}\nnext\n${'y'.repeat(2e5)}`
    let out = ''
    for (let at = 0; at < text.length; at += 2e6) out += redraw.push(Buffer.from(text.slice(at, at + 2e6)))
    expect(out + redraw.end()).toBe(`${text}\n`)
  })

  test('labels go before whole lines', () => {
    const p = pipe()
    expect(p.push('a\nb', '[1] ') + p.push('c\n', '[1] ')).toBe('[1] a\n[1] bc\n')
  })

  test('characters that are cut in the middle are shown whole', () => {
    const redraw = new Redraw({ redraws: false, now: () => 0 })
    const bytes = Buffer.from('grün\n')
    expect(redraw.push(bytes.subarray(0, 3)) + redraw.push(bytes.subarray(3))).toBe('grün\n')
  })
})

describe('nothing controls the terminal or log that it is printed on', () => {
  const shown = (text: string, redraws: boolean): string => {
    const redraw = new Redraw({ redraws, now: () => 0 })
    return redraw.push(Buffer.from(text)) + redraw.end()
  }

  test.each([
    ['colours stay', '\u001b[31mred\u001b[0m\n', '\u001b[31mred\u001b[0m\n'],
    ['cursor moves go', 'a\u001b[2Ab\u001b[10;10Hc\n', 'abc\n'],
    ['titles and links go', 'a\u001b]0;evil\u0007b\u001b]8;;http://x\u001b\\c\n', 'abc\n'],
    ['clipboard writes go', '\u001b]52;c;ZXZpbA==\u0007x\n', 'x\n'],
    ['device strings go', '\u001bPq#0;2;0;0;0\u001b\\x\n', 'x\n'],
    ['eight-bit controls go', 'a\u009b2Jb\n', 'a2Jb\n'],
    ['bells and backspaces go', 'a\u0007b\u0008c\n', 'abc\n'],
    ['tabs stay', 'a\tb\n', 'a\tb\n'],
  ])('%s', (_name, text, expected) => {
    expect(shown(text, false)).toBe(expected)
    expect(shown(text, true)).toBe(expected)
  })

  test('a terminal redraws in place and shows a prompt at once', () => {
    const redraw = new Redraw({ redraws: true, now: () => 0 })
    expect(redraw.push(Buffer.from('50%'))).toBe('50%')
    expect(redraw.push(Buffer.from('\r60%'))).toBe('\r\u001b[K60%')
  })

  test('a line end that is cut in the middle erases nothing', () => {
    const redraw = new Redraw({ redraws: true, now: () => 0 })
    expect(redraw.push(Buffer.from('one\r')) + redraw.push(Buffer.from('\ntwo\r')) + redraw.end()).toBe('one\r\ntwo')
  })

  test('a control sequence that is cut in the middle is held back until it is whole', () => {
    const redraw = new Redraw({ redraws: true, now: () => 0 })
    expect(redraw.push(Buffer.from('a\u001b[3'))).toBe('a')
    expect(redraw.push(Buffer.from('1mb'))).toBe('\u001b[31mb')
  })
})
