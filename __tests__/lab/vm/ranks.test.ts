/** A run of several machines in one account: they start together, know each other's addresses, and can reach each other. */
import { expect, jest, test } from '@jest/globals'
import { sampledCloud } from '../../storm/random.ts'
import { Account } from './faults-kit.ts'
import { LABS, type VmLab } from './labs.ts'

jest.setTimeout(300_000)

const RANKS = 3

/** The first machine waits until all others have sent it their number; they keep trying until it answers. */
const SCRIPT = `#!/usr/bin/env python3
import os, socket, time
own, peers = int(os.environ['TPI_INDEX']), os.environ['TPI_PEERS'].split(',')
if own == 0:
    door, said = socket.create_server(('', 7000)), []
    door.settimeout(180)
    while len(said) < len(peers) - 1:
        said.append(door.accept()[0].recv(99).decode())
    print('heard', sorted(said), 'of', len(set(peers)))
else:
    for _ in range(180):
        try:
            with socket.create_connection((peers[0], 7000), 1) as way: way.send(b'%d' % own)
            break
        except OSError: time.sleep(1)
    else: raise SystemExit('nobody listens')
`

test.each(sampledCloud<VmLab>(LABS))('ranks on $cloud connect to each other by the addresses that they are given', async (vm) => {
  const a = await Account.open(vm)
  if (!a) return expect(process.env['CI']).toBeUndefined()
  const { lab, w } = a
  try {
    const before = await lab.inventory()
    const words = `task --cloud ${vm.cloud} --machine ${vm.types} --spot --name ranks --workdir p --parallelism ${RANKS} --gang --json --script`
    const ran = await w.tpi([...words.split(' '), SCRIPT], { env: lab.env })
    expect([ran.code, ran.host.scriptText()]).toEqual([0, expect.stringContaining(`heard ['1', '2'] of ${RANKS}`)])
    await a.givenBack(before)
  } finally {
    await a.close()
  }
})
