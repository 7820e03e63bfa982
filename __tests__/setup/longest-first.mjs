// The longest suites start first, so that none of them runs alone at the end. If time is short (`in-time.mjs`), each commit leaves out
// other short ones.
import { createHash } from 'node:crypto'

/** Seconds of the long suites, on two busy cores. */
const SECONDS = {
  'lab/az/control': 290,
  'lab/gcp/control': 235,
  'lab/store-gs': 220,
  'lab/aws/control': 200,
  'lab/smoke-clouds': 300,
  'lab/vm/faults': 160,
  'lab/k8s-scale': 150,
  'lab/k8s-killed': 145,
  'lab/smoke': 145,
  'e2e/act/cache-example': 120,
  'lab/k8s-faults': 120,
  'lab/k8s-rights': 110,
  'lab/k8s-cloud': 105,
  'e2e/terminal': 100,
  'lab/k8s-leave': 95,
  'runner/github.process': 95,
  'lab/vm/cut-off': 90,
  'lab/k8s-wall': 80,
  'lab/k8s-runner': 75,
  'lab/gcp/task': 70,
  'lab/k8s-task': 70,
  'storm/cancelled-start': 70,
  'lab/vm/runners': 70,
  'lab/k8s-cluster': 65,
  'lab/k8s-store': 65,
  'storm/runner-retry': 65,
  'storm/storm': 65,
  'lab/az/notices': 60,
  'runner/github-lasting.process': 60,
  'storm/cancelled-action': 60,
  'runner/exits.process': 60,
  'storm/crowd': 55,
  'runner/never-online.process': 55,
  'lab/aws/regions': 50,
  'lab/k8s-features': 50,
  'storm/runner-idle': 50,
  'lab/release': 45,
  'verbs/lifecycle.process': 45,
  'e2e/containers': 40,
  'lab/aws/enforced': 40,
  'lab/store-az': 40,
  'lab/vm/documents': 40,
  'runner/gitlab.process': 40,
  'e2e/documents': 35,
  'lab/aws-cloud': 35,
  'lab/az/twin': 35,
  'lab/vm/boot-gce': 35,
  'lab/vm/boot': 35,
  'storm/creation': 35,
  'verbs/delivery.process': 35,
  'boot/fetcher.process': 30,
  'lab/aws/task': 30,
  'lab/aws/twin': 30,
  'lab/az/task': 30,
  'lab/store-s3': 30,
  'runner/choices.process': 30,
  'verbs/task.process': 30,
  'e2e/act/examples': 25,
  'stores/dir.process': 25,
  'storm/region-moves': 25,
  'attack/snapshots.process': 20,
  'e2e/bare-host': 20,
  'lab/az-cloud': 20,
  'lab/vm/exec': 20,
  'clouds/local.process': 20,
  'verbs/regions': 20,
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
