/** Workflows as a user writes them, from checkout to the step that reads the outputs. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type ActLab, actLab } from '../../lab/act.ts'
import { leaks } from '../../lab/leaks.ts'
import { resultsDouble } from '../../lab/results-service.ts'
import { succeeded } from '../../lab/step-runner.ts'
import { unzip } from '../../lab/unzip.ts'
import { until } from '../../setup/wait.ts'

let lab: ActLab | undefined

beforeEach(async () => {
  lab = await actLab()
  lab?.write('train.sh', '#!/bin/sh\nmkdir -p results\necho "$SEED" > results/seed-$SEED\necho "accuracy=0.$SEED" >> "$TPI_OUTPUT"\n')
})

afterEach(() => lab?.remove())

/** Does nothing if act could not be built; that was reported in a line. */
function scenario(title: string, body: (lab: ActLab) => Promise<void>): void {
  test(title, async () => {
    if (lab) await body(lab)
  })
}

const job = (name: string, rest: string): string =>
  `on: push\njobs:\n  ${name}:\n    runs-on: ubuntu-latest\n${rest.replace(/^/gm, '    ')}\n`
const STEPS = 'steps:\n  - uses: actions/checkout@v4'

describe('a workflow', () => {
  scenario('uses results, outputs and artifact of a run', async (lab) => {
    const results = await resultsDouble()
    try {
      lab.write(
        '.github/workflows/ok.yml',
        job(
          'train',
          `${STEPS}\n  - id: train\n    uses: iterative/tpi-action@v1\n    with:\n      mode: task\n      cloud: local\n      workdir: .\n      output: results/**\n      env: SEED=7\n      secrets: API_KEY\n      setup: echo preparing\n      script-file: train.sh\n    env:\n      API_KEY: \${{ secrets.API_KEY }}\n  - run: echo "seen $(cat results/seed-7) \${{ steps.train.outputs.accuracy }} \${{ fromJSON(steps.train.outputs.result).accuracy }}"`,
        ),
      )
      const end = await lab.run('ok.yml', { secrets: { API_KEY: 'canary-0123456789' }, env: results.env() })
      expect(end.code).toBe(0)
      expect(end.printed()).toContain('seen 7 0.7 0.7')
      expect(end.text).not.toContain('canary')
      expect(end.text).toContain('Post iterative/tpi-action@v1')
      const [artifact] = [...results.artifacts.values()]
      expect(artifact?.name).toMatch(/^tpi-1-train-train/)
      expect([...unzip(artifact?.bytes ?? Buffer.alloc(0)).keys()]).toEqual(['results/seed-7'])
      expect(await leaks(lab.home)).toEqual([])
    } finally {
      await results.close()
    }
  })

  scenario('needs no workdir: the checkout is uploaded, without credentials that a login left there', async (lab) => {
    lab.write('requirements.txt', '')
    const login =
      '  - run: |\n      echo secret-of-mine > gha-creds-1.json\n      echo "GOOGLE_APPLICATION_CREDENTIALS=$PWD/gha-creds-1.json" >> "$GITHUB_ENV"\n'
    const inputs = 'mode: task\n      cloud: local\n      output: results/**\n      env: SEED=7\n      setup: test -e requirements.txt'
    const use = `  - id: train\n    uses: iterative/tpi-action@v1\n    with:\n      ${inputs}\n      script: test ! -e gha-creds-1.json && sh train.sh`
    lab.write(
      '.github/workflows/plain.yml',
      job(
        'train',
        `${STEPS}\n${login}${use}\n  - run: echo "seen $(cat results/seed-7) $(jq -r .accuracy <<<'\${{ steps.train.outputs.result }}')"`,
      ),
    )
    const end = await lab.run('plain.yml')
    expect(end.printed()).toContain('seen 7 0.7')
    expect(end.printed()).toContain('"gha-creds-1.json" stays here: a credential, named by GOOGLE_APPLICATION_CREDENTIALS')
    expect(end.code).toBe(0)
    expect(await leaks(lab.home)).toEqual([])
  })

  scenario('with older outputs in the checkout: changed ones are replaced and go into the artifact, the rest stays', async (lab) => {
    const results = await resultsDouble()
    try {
      lab.write('results/seed-7', 'of last week\n')
      lab.write('results/seed-1', 'untouched\n')
      const inputs = 'output: results/**\n      env: SEED=7\n      script-file: train.sh'
      const use = `  - uses: iterative/tpi-action@v1\n    with:\n      ${inputs}\n  - run: echo "seen $(cat results/seed-7) $(cat results/seed-1) $(ls results | wc -l)"`
      lab.write('.github/workflows/again.yml', job('train', `${STEPS}\n${use}`))
      const end = await lab.run('again.yml', { env: results.env() })
      expect(end.printed()).toContain('seen 7 untouched 2')
      expect(end.code).toBe(0)
      const [artifact] = [...results.artifacts.values()]
      expect([...unzip(artifact?.bytes ?? Buffer.alloc(0)).keys()]).toEqual(['results/seed-7'])
      expect(await leaks(lab.home)).toEqual([])
    } finally {
      await results.close()
    }
  })

  scenario('fails with its script, and later steps still see why', async (lab) => {
    const steps = `${STEPS}\n  - id: t\n    uses: iterative/tpi-action@v1\n    with: { script: exit 5 }\n  - if: failure()\n    run: echo "why \${{ steps.t.outputs.outcome }} \${{ steps.t.outputs.exit-code }}"`
    lab.write('.github/workflows/bad.yml', job('train', steps))
    const end = await lab.run('bad.yml')
    expect(end.code).not.toBe(0)
    expect(end.printed()).toContain('why script-failed 5')
    expect(end.text.match(/::error::/g)).toHaveLength(1)
    expect((await leaks(lab.home)).filter((line) => line.startsWith('process'))).toEqual([])
  })

  scenario('whose script prints commands of the runner: they are shown, and none is executed', async (lab) => {
    const hostile = [
      '::add-mask::e',
      '::error::x',
      '::set-output name=outcome::forged',
      '::stop-commands::mine',
      '::save-state name=id::forged',
    ]
    lab.write('hostile.sh', `#!/bin/sh\n${hostile.map((line) => `echo '${line}'`).join('\n')}\necho 'accuracy=0.7' >> "$TPI_OUTPUT"\n`)
    const use = '  - id: t\n    uses: iterative/tpi-action@v1\n    with: { workdir: ., script-file: hostile.sh }'
    const read = '  - run: echo "later ${{ steps.t.outputs.outcome }} ${{ steps.t.outputs.accuracy }} ${{ steps.t.outputs.name }}"'
    lab.write('.github/workflows/hostile.yml', job('train', `${STEPS}\n${use}\n${read}`))
    const end = await lab.run('hostile.yml')
    // With the mask it would read "lat***r succ***ss".
    expect(end.printed()).toMatch(/^later success 0\.7 1-train-\S+$/m)
    expect(end.text).not.toMatch(/\*\*\*|❗/)
    for (const line of hostile) expect(end.text.split('\n')).toContain(line)
    expect(end.code).toBe(0)
    expect(await leaks(lab.home)).toEqual([])
  })

  scenario('with a matrix: four legs are four runs', async (lab) => {
    const strategy = 'strategy:\n  matrix:\n    seed: [1, 2, 3, 4]\n'
    const steps = `${STEPS}\n  - id: t\n    uses: iterative/tpi-action@v1\n    with:\n      workdir: .\n      output: results/**\n      env: SEED=\${{ matrix.seed }}\n      script-file: train.sh\n  - run: echo "leg \${{ matrix.seed }} \${{ steps.t.outputs.accuracy }} \${{ steps.t.outputs.id }} \${{ steps.t.outputs.attached }}"`
    lab.write('.github/workflows/matrix.yml', job('train', strategy + steps))
    const end = await lab.run('matrix.yml')
    expect(end.code).toBe(0)
    const legs = [...end.printed().matchAll(/^leg (\d) (\S+) (\S+) false$/gm)]
    expect(legs.map(([, seed, accuracy]) => `${seed} ${accuracy}`).sort()).toEqual(['1 0.1', '2 0.2', '3 0.3', '4 0.4'])
    expect(new Set(legs.map(([, , , id]) => id)).size).toBe(4)
    expect(await leaks(lab.home)).toEqual([])
  })

  scenario('that is run again attaches to the running run, and delivers it', async (lab) => {
    lab.write(
      '.github/workflows/long.yml',
      job(
        'train',
        `${STEPS}\n  - id: t\n    uses: iterative/tpi-action@v1\n    with:\n      name: long\n      output: r/**\n      output-dir: out\n      wait: \${{ env.WAIT }}\n      script: |\n        for i in 1 2 3 4 5 6; do echo step $i; sleep 0.5; done; mkdir r; echo whole > r/a\n  - if: always()\n    run: echo "attached \${{ steps.t.outputs.attached }} $(cat out/r/a)"`,
      ),
    )
    const first = await lab.run('long.yml', { env: { WAIT: '1s' } })
    expect(first.code).not.toBe(0)
    expect(first.text).toContain('is still running')
    const again = await lab.run('long.yml', { env: { WAIT: 'true', GITHUB_RUN_ATTEMPT: '2' } })
    expect(again.code).toBe(0)
    expect(again.printed()).toContain('attached true whole')
    expect(again.printed()).toContain('step 1')
    expect(await leaks(lab.home)).toEqual([])
  })

  scenario('left by one workflow is collected by another', async (lab) => {
    lab.write(
      '.github/workflows/a.yml',
      job(
        'start',
        `${STEPS}\n  - uses: iterative/tpi-action@v1\n    with:\n      name: nightly\n      workdir: .\n      output: results/**\n      env: SEED=3\n      detach: true\n      script-file: train.sh`,
      ),
    )
    lab.write(
      '.github/workflows/b.yml',
      job(
        'finish',
        `${STEPS}\n  - id: c\n    uses: iterative/tpi-action@v1\n    with: { command: collect, finished: true, to: here }\n  - run: echo "got $(cat here/nightly/results/seed-3) \${{ steps.c.outputs.accuracy }}"`,
      ),
    )
    expect((await lab.run('a.yml')).code).toBe(0)
    await succeeded(lab.home, 'nightly')
    const end = await lab.run('b.yml', { run: '2' })
    expect(end.code).toBe(0)
    expect(end.printed()).toContain('got 3 0.3')
    expect(await leaks(lab.home)).toEqual([])
  })

  scenario('that is cancelled leaves nothing running', async (lab) => {
    lab.write(
      '.github/workflows/loop.yml',
      job(
        'train',
        `${STEPS}\n  - uses: iterative/tpi-action@v1\n    with:\n      name: loop\n      script: 'while :; do echo tick; sleep 0.2; done'`,
      ),
    )
    const running = lab.start('loop.yml')
    await until('it runs', () => /tick/.test(running.text()))
    running.child.kill('SIGINT')
    await running.end
    // act kills the step outright, and may or may not run its post step. After that, only another command with the same home can clean up.
    lab.write(
      '.github/workflows/clean.yml',
      job('clean', `${STEPS}\n  - uses: iterative/tpi-action@v1\n    with: { command: destroy, name: loop, discard: true }`),
    )
    await lab.run('clean.yml')
    expect(await leaks(lab.home)).toEqual([])
  })
})
