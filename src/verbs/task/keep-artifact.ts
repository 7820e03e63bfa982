/** The step between delivery and "collected": results are kept with the CI run before the originals may be removed. */
import type { Delivery } from '../../engine/deliver/collect.ts'
import type { Artifact } from '../../report/run.ts'
import type { VerbContext } from '../shared/context.ts'

export interface KeptResults {
  /** Absent if there is no CI run that keeps artifacts, or none was requested. */
  readonly artifact?: Artifact | undefined
  /** Paths of delivered files, relative to their folder. */
  readonly paths: readonly string[]
}

export class ArtifactStep {
  readonly #context: Pick<VerbContext, 'host' | 'ciJob'>
  readonly #name: string
  readonly #label: string | undefined
  #kept: KeptResults = { paths: [] }

  /** `name`: of the deployment. `label`: part of the artifact's name, as one of several. */
  constructor(context: Pick<VerbContext, 'host' | 'ciJob'>, name: string, label?: string) {
    this.#context = context
    this.#name = name
    this.#label = label
  }

  /** What `keep` has kept. */
  get kept(): KeptResults {
    return this.#kept
  }

  /** Throws if the results cannot be kept, although they should be: then the run is not marked as collected. */
  readonly keep = async (delivery: Delivery, paths: readonly string[]): Promise<void> => {
    const { host, ciJob } = this.#context
    this.#kept = { paths }
    if (!ciJob?.artifact) return
    const close = host.openSection('Artifact')
    try {
      this.#kept = { paths, artifact: await ciJob.artifact(this.#name, delivery, paths, this.#label) }
    } finally {
      close()
    }
  }
}
