/** A `task` command as the command line runs it, up to the call at which it dies. */

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { clouds } from '../../src/clouds/registry.ts'
import type { AgentBundle, Cloud } from '../../src/core/cloud.ts'
import { deploymentId } from '../../src/core/identity.ts'
import type { Engine } from '../../src/engine/deployment.ts'
import { ownerOf } from '../../src/forges/registry.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { ownersOf, ownNumber } from '../../src/lib/user.ts'
import { parseCommandLine } from '../../src/options/parse.ts'
import { optionTable } from '../../src/options/rows/table.ts'
import { openStore } from '../../src/stores/registry.ts'
import { begin } from '../../src/task/begin.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import { never } from '../../src/verbs/shared/signals.ts'
import { uploadPlan } from '../../src/verbs/task/plan-upload.ts'
import { taskRequest } from '../../src/verbs/task/request-from-options.ts'
import type { StoreAccess } from '../../src/wire/store.ts'
import { memoryHost } from '../setup/memory-host.ts'
import { DEAD, type Death, dyingCloud, dyingStore } from './dying.ts'

export interface Command {
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** `$TPI_HOME`. */
  readonly home: string
  readonly cwd: string
  /** Path of the machine program. */
  readonly agent: string
  readonly cloudId: string
  open(agent: AgentBundle): Promise<Cloud>
  /** In place of the cloud's own. */
  readonly storage?: StoreAccess
}

/** Resolves when it is dead; rejects if the creation fails before that. */
export async function dyingController({ words, env, home, cwd, ...by }: Command, death: Death): Promise<unknown> {
  const files = { readFile: (path: string) => readFile(path, 'utf8'), ownersOf, user: ownNumber() }
  const surroundings = { env, cwd, ...files, readStdin: async () => '' }
  const parsed = await parseCommandLine(optionTable(clouds), words, surroundings)
  const owner = ownerOf(env, { user: userInfo().username, host: hostname() })
  const engine: Engine = { host: memoryHost(), clock: systemClock, home, actor: owner.key, process: DEAD }
  const parts = { values: parsed.values, descriptors: clouds, parsed, cwd, owner, env, engine, host: engine.host, signals: never() }
  const context = parts as unknown as VerbContext
  const request = taskRequest(context)
  const bytes = await readFile(by.agent)
  const agent = { bytes, digest: createHash('sha256').update(bytes).digest('hex') }
  const cloud = await by.open(agent)
  const id = deploymentId(owner, request.name)
  const storeAccess = by.storage ?? (await cloud.store(id))
  const store = dyingStore(await openStore(storeAccess), death)
  const place = { cloudId: by.cloudId, cloud: dyingCloud(cloud, death), store, id, name: request.name }
  const upload = await uploadPlan(context, request, store)
  return Promise.race([
    death.died,
    begin(engine, place, { request, origin: owner.origin, storeAccess, agent, upload, here: cwd, signal: never().first }),
  ])
}
