/** The programs in `examples/checkpoints`, which the documents tell users to copy. */
import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { until } from '../setup/wait.ts'
import { worldPer } from '../setup/world-per.ts'

const w = worldPer('test')
const examples = join(import.meta.dirname, '../../examples/checkpoints')

test('train.py continues where a reclaimed machine was, with the same result as without the reclaim', async () => {
  await w.write('p/keep', '')
  copyFileSync(join(examples, 'train.py'), join(w.work, 'p/train.py'))
  const script = 'EPOCHS=2 python3 train.py; [ "$TPI_ATTEMPT" != 1 ] || sleep 600; EPOCHS=5 python3 train.py'
  await w.tpi(['task', '--name', 'fit', '--detach', '--workdir', 'p', '--output', 'results/**', '--script', script])
  await until('two epochs are done', async () => (await w.tpi('logs fit')).host.scriptText().includes('epoch 2: 5'))
  await w.tpi('interrupt fit')
  const { code, host } = await w.tpi('task --name fit --if-exists attach --workdir p --output results/** --script x')
  expect(code).toBe(0)
  expect(host.scriptText()).toContain('going on after epoch 2')
  expect(await w.read('p/results/total.txt')).toBe('55\n')
})

test.each(['train_pytorch.py', 'train_transformers.py'])('%s is Python', (name) => {
  const { status, stderr } = spawnSync('python3', ['-c', `compile(open(${JSON.stringify(join(examples, name))}).read(), 'x', 'exec')`], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
})
