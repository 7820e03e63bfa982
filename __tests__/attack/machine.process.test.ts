/** A malicious machine: everything that its script can create, write and print, followed to its end and fetched afterwards. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Command, NAME, type Prey, prey } from './kit.ts'

const ESCAPES =
  '\\033\\000]52;c;ZXZpbA==\\007\\033[2J\\233 31m\\033[6n\\r\\n::set-output name=outcome::success\\n::forged::x\\n##[error]x\\n'

/** Runs in the work directory of the machine; `$PWD` is never that of the caller. */
const EVIL = [
  'mkdir -p r/.git/hooks .git/hooks r/deep',
  'for at in .git/hooks r/.git/hooks; do echo "touch /tmp/pwned" > $at/post-checkout; chmod 777 $at/post-checkout; done',
  'ln -s /proc/self/environ r/environ; ln -s ../../me/.ssh/id_rsa r/key; ln -s ../.env r/env; ln -s ../.git/config r/config',
  'ln -s / r/root; ln -s ../.. r/up; ln -s r r/self; ln -s r/up/../../me r/me; ln -s deep r/way; ln -s way/../../.. r/far',
  'echo 1 > r/deep/f; chmod 6777 r/deep/f; chmod 1777 r/deep; mkfifo r/pipe; mknod r/device c 1 5 || true',
  'for name in "$(printf "\\033]0;x\\007")" "$(printf "a\\rb")" "$(printf "\\377\\376")" "a\\\\..\\\\b" "::error::x" "-rf" "$(printf "%0255d" 7)"; do echo 1 > "r/$name"; done',
  'head -c 20000000 /dev/zero > r/zeros; truncate -s 60M r/hole',
  `printf '${ESCAPES}'; head -c 2000000 /dev/zero; head -c 300000 /dev/urandom; printf '%s' "$(printf '%0200000d' 0)"`,
  `printf 'a=1\\noutcome=forged\\nexit-code=7\\nPATH=/evil\\nsetup=id\\n__proto__=x\\nesc=\\033[2J\\nb<<X\\noutcome<<Y\\nX\\nlong=%0100000d\\n' 0 >> "$TPI_OUTPUT"`,
  'for i in $(seq 3000); do echo "n$i=$i" >> "$TPI_OUTPUT"; done',
  `printf '</details></table><script>x</script>\\n\\\`\\\`\\\`\\n${ESCAPES}' >> "$TPI_SUMMARY"; head -c 3000000 /dev/zero | tr '\\0' '#' >> "$TPI_SUMMARY"`,
].join('\n')

const words = ['--output', '**', '--script', EVIL]
let p: Prey
beforeAll(async () => {
  p = await prey(words)
})
afterAll(() => p.end())

const COMMANDS: readonly Command[] = [
  ['status', NAME, '--json'],
  ['status', NAME],
  ['list'],
  ['logs', NAME],
  ['pull', NAME, '**', '--to', 'out'],
  ['collect', NAME, '--to', 'out', '--outputs-file', 'outputs.env', '--report', 'out/report.md'],
]

describe('what a script makes, writes and says', () => {
  test('does no harm to a command that shows or fetches it', async () => {
    expect(await p.attack(() => undefined, COMMANDS)).toEqual([])
    expect(await readdir(join(p.out, 'r/deep'))).toEqual(['f'])
  })

  test('does no harm to the step that fetches it, to later steps, and to the page', async () => {
    const step = { command: 'collect', name: NAME, to: 'out', artifact: 'true' }
    expect(await p.attack(() => undefined, [step, ['destroy', NAME, '--discard']])).toEqual([])
  })

  test('does no harm to a command that attaches to it, and to the GitLab job that fetches it', async () => {
    expect(await p.attack(() => undefined, [['task', '--name', NAME, '--workdir', 'none', '--output-dir', 'out', ...words]])).toEqual([])
    expect(await readdir(join(p.out, 'r/deep'))).toEqual(['f'])
    const files = ['--outputs-file', 'outputs.env', '--report', 'out/report.md']
    expect(await p.attack(() => undefined, [{ job: ['collect', NAME, '--to', 'out', ...files] }])).toEqual([])
  })

  test('does no harm to another computer, which knows only the tags of its group', async () => {
    expect(
      await p.attack(p.forget, [
        ['pull', NAME, '**'],
        ['collect', NAME],
      ]),
    ).toEqual([])
    expect(await readdir(join(p.out, 'r/deep'))).toEqual(['f'])
  })
})
