// The longest suites start first, so that none of them runs alone at the end. If time is short (`in-time.mjs`), each commit leaves out
// other short ones.
import { createHash } from 'node:crypto'

/** Seconds of the long suites, on two busy cores. */
const SECONDS = {
  'lab/k8s-cloud': 75,
  'lab/k8s-wall': 70,
  'lab/k8s-task': 60,
  'lab/k8s-rights': 150,
  'lab/k8s-scale': 170,
  'clouds/local.process': 20,
  'verbs/max-cost': 20,
  'clouds/lasting-login': 20,
  'snapshot/round-trip.process': 30,
  'clouds/az/machine': 25,
  'runner/action.process': 25,
  'verbs/task.process': 30,
  'agent/stages.process': 35,
  'stores/dir.process': 45,
  'verbs/regions': 25,
  'storm/region-moves': 40,
  'lab/k8s-faults': 200,
  'storm/storm': 80,
  'storm/crowd': 60,
  'storm/bench-smoke': 60,
  'lab/k8s-killed': 300,
  'lab/k8s-leave': 150,
  'lab/k8s-features': 150,
  'lab/k8s-runner': 130,
  'storm/cancelled-action': 60,
  'lab/az/control': 200,
  'lab/vm/faults': 130,
  'lab/vm/cut-off': 80,
  'lab/vm/faults-of-boots': 40,
  'lab/smoke-clouds': 180,
  'lab/aws/control': 190,
  'lab/gcp/task': 100,
  'e2e/documents': 60,
  'lab/gcp/control': 120,
  'lab/smoke': 240,
  'runner/github-lasting.process': 125,
  'lab/release': 90,
  'runner/github.process': 120,
  'attack/stores.process': 35,
  'storm/cancelled-start': 70,
  'lab/vm/exec': 30,
  'lab/aws-cloud': 60,
  'lab/store-gs': 70,
  'lab/store-az': 45,
  'lab/store-s3': 35,
  'lab/vm/ranks': 30,
  'lab/az/runner': 60,
  'lab/aws/runner': 60,
  'lab/gcp/runner': 50,
  'lab/vm/boot-gce': 50,
  'lab/vm/boot': 45,
  'lab/az/twin': 45,
  'lab/aws/regions': 55,
  'lab/az/notices': 60,
  'lab/aws/enforced': 50,
  'lab/aws/task': 45,
  'lab/az/task': 40,
  'lab/vm/documents': 55,
  'storm/runner-retry': 80,
  'storm/creation': 65,
  'storm/runner-creation': 50,
  'attack/snapshots.process': 30,
  'runner/gitlab.process': 50,
  'verbs/lifecycle.process': 50,
  'verbs/delivery.process': 45,
  'runner/exits.process': 40,
  'runner/choices.process': 45,
  'boot/fetcher.process': 35,
  'lab/k8s-store': 45,
  'lab/k8s-cluster': 45,
  'attack/records.process': 40,
}

/** Seconds of the file at `path`: 15 if it has no line here. */
export const seconds = (path) => SECONDS[path.replace(/^.*\/__tests__\//, '').replace(/\.test\.ts$/, '')] ?? 15

export default class LongestFirst {
  sort(tests) {
    const turn = (path) => createHash('sha256').update(`${process.env['TPI_STORM_SEED']} ${path}`).digest('hex')
    return [...tests].sort((one, other) => seconds(other.path) - seconds(one.path) || (turn(one.path) < turn(other.path) ? -1 : 1))
  }

  allFailedTests() {
    throw new Error('this run keeps no record of earlier failures: name the files')
  }

  cacheResults() {}
}
