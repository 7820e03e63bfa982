import { describe, expect, test } from '@jest/globals'
import { AGENT_DONE } from '../../src/wire/machine.ts'
import { Deployment } from './kit.ts'

describe('a script that ends by itself', () => {
  test.concurrent('runs in the restored tree, and its end, outputs and files are the result of the slot', async () => {
    await using task = await Deployment.make({
      files: { 'in/data.txt': 'forty-two\n' },
      script:
        'cat in/data.txt; echo err >&2; mkdir out; echo done > out/result; echo "score=0.9" >> $TPI_OUTPUT; echo "# Good" >> $TPI_SUMMARY',
    })
    const agent = await task.agent()
    expect(await agent.ended).toBe(AGENT_DONE)
    const record = await task.slot()
    expect(record).toMatchObject({
      state: 'succeeded',
      cause: 'exit',
      exitCode: 0,
      epoch: 1,
      outputs: { score: '0.9' },
      summary: '# Good\n',
    })
    expect(record.attempts).toMatchObject([{ epoch: 1, holder: agent.name, cause: 'exit', exitCode: 0, saved: true, from: task.spec.base }])
    expect(await task.log('script')).toBe('forty-two\nerr\n')
    expect(await task.head()).toEqual({ 'in/data.txt': 'forty-two\n', 'out/result': 'done\n' })
    expect(await task.store.read(task.keys.secrets)).toBeUndefined()
  })

  test.concurrent('a non-zero exit is final, and its files are kept', async () => {
    await using task = await Deployment.make({ script: 'echo partial > file; exit 3' })
    expect(await (await task.agent()).ended).toBe(AGENT_DONE)
    expect(await task.slot()).toMatchObject({ state: 'failed', cause: 'exit', reason: 'exit code 3', exitCode: 3 })
    expect(await task.head()).toEqual({ file: 'partial\n' })
  })

  test.concurrent('a retry finds a folder for temporary files, although the first try has removed its own', async () => {
    const script = 'echo x >"$TMPDIR/x" || exit 9; rm -r "$TMPDIR"; [ "$TPI_ATTEMPT" = 2 ]'
    await using task = await Deployment.make({ script, retry: { retries: 1 } })
    await (await task.agent()).ended
    expect((await task.slot()).attempts).toMatchObject([{ exitCode: 1 }, { exitCode: 0 }])
  })
})
