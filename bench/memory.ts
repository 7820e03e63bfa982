/** The most memory that controller and agent ever have, with many files and a very large one. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoreAccess } from '../src/wire/store.ts'
import { type Bench, type Ground, tpi } from './ground.ts'
import { atMost, mebibytes, milliseconds, NO_SERVER, type Row, shown } from './measure.ts'
import { peakOf } from './peak.ts'
import { storageOptions } from './remote.ts'
import { ROUND_TRIP, withDistant } from './servers.ts'
import { agentOf, watch } from './store.ts'
import { makeFile, makeTree } from './tree.ts'

interface Peaks {
  readonly controller: number
  readonly agent: number
  readonly took: number
}

async function whole(ground: Ground, name: string, work: string, access?: StoreAccess): Promise<Peaks> {
  const out = join(ground.folder, `${name}.out`)
  const { options, env } = storageOptions(access)
  const script = `#!/bin/sh
set -e
for file in part-*/*; do echo changed >> $file; done
printf changed | dd of=large conv=notrunc status=none
sleep ${ground.quick ? 1 : 12}`
  const began = Date.now()
  const args = ['task', '--name', name, '--workdir', work, '--output', '**', '--output-dir', out, ...options, '--script', script]
  const task = tpi(ground, args, env)
  const controller = peakOf(task.child.pid ?? 0)
  const agent = peakOf((await agentOf(await watch(ground, name, access))).pid)
  const took = (await task.ended) - began
  await readFile(join(out, 'part-0000/file-1'))
  await rm(out, { recursive: true, force: true })
  return { controller: await controller.end(), agent: await agent.end(), took }
}

function rows(where: string, { controller, agent, took }: Peaks): readonly Row[] {
  const limit = 150 * 2 ** 20
  const unit = mebibytes
  return [
    atMost({ what: `controller, ${where}`, samples: [controller], limit, unit }),
    atMost({ what: `agent, ${where}`, samples: [agent], limit, unit }),
    shown(`the whole task, ${where}`, milliseconds.show(took)),
  ]
}

export const memory: Bench = {
  name: 'memory',
  title: 'Memory at 100 000 files and 6 GiB',
  notes: [
    'Peak resident memory as the kernel counts it (VmHWM). The work directory has 100 000 files of 1 KiB and one file of 6 GiB: 256 MiB of random bytes, and the rest is a hole. The script changes each of them, and all are outputs. The controller uploads the work directory, follows, and downloads the outputs. The agent restores, and saves checkpoints and results.',
  ],
  async run(ground): Promise<readonly Row[]> {
    const work = await ground.fresh('memory')
    const [files, size, noisy] = ground.quick ? [2000, 64, 16] : [100_000, 6 * 1024, 256]
    makeTree(work, files, 1024)
    makeFile(join(work, 'large'), size * 2 ** 20, noisy * 2 ** 20)
    const here = rows('folder store', await whole(ground, 'memory-here', work))
    const there = await withDistant(async (distant) => {
      const access = await distant.access('memory', distant.records)
      return rows(`S3 store ${ROUND_TRIP} ms away`, await whole(ground, 'memory-there', work, access))
    })
    return [...here, ...(there ?? [NO_SERVER])]
  },
}
