/** The recorded request of runners, for starting them again. It is not trusted: anybody may have written the record. */
import type { ContainerRequest, Platform } from '../core/forge.ts'
import type { SizeRequest } from '../core/size.ts'
import { count, dictionary, either, flag, json, line, list, maybe, number, object, oneOf, orNone, text } from '../lib/shape.ts'
import { label } from '../wire/parse.ts'
import { program } from '../wire/program.ts'
import { lease } from '../wire/spec.ts'
import type { RunnerModeRequest } from './request.ts'

const LINE = line(4096)
const VALUES = dictionary(LINE, text(1 << 20), 10_000)
const seconds = number(0, 1e12)

/** Throws Misfit. This checks only types and sizes; what the fields mean is checked when machines are started from them. */
export const recordedRequest = object<RunnerModeRequest>({
  name: label,
  count: count(100_000, 1),
  size: object<SizeRequest>({
    machine: maybe(LINE),
    cpu: maybe(number(0, 1e9)),
    memoryBytes: maybe(number(0, 1e18)),
    scratch: maybe(flag),
    gpu: maybe(object<NonNullable<SizeRequest['gpu']>>({ kind: maybe(LINE), count: count(1e6) })),
  }),
  diskBytes: maybe(number(0, 1e18)),
  image: maybe(LINE),
  usualImage: maybe(LINE),
  region: maybe(LINE),
  spot: either(
    object<{ readonly want: 'never' }>({ want: oneOf('never') }),
    object<{ readonly want: 'only' | 'prefer'; readonly maxPrice?: number; readonly wait?: number }>({
      want: oneOf('only', 'prefer'),
      maxPrice: maybe(number(0, 1e9)),
      wait: maybe(seconds),
    }),
  ),
  permissionSet: maybe(LINE),
  container: maybe(LINE),
  unprivileged: maybe(flag),
  tags: VALUES,
  ofCloud: maybe(dictionary(LINE, json(), 100)),
  setup: maybe(program),
  setupAfter: maybe(program),
  containers: maybe(object<ContainerRequest>({ image: LINE, volumes: list(LINE, 1000), gpus: flag })),
  env: VALUES,
  timeout: seconds,
  grace: seconds,
  reserve: seconds,
  retention: seconds,
  lease,
  labels: list(LINE, 1000),
  defaultLabels: flag,
  jobs: orNone(count()),
  idle: orNone(seconds),
  rest: maybe(seconds),
  group: maybe(LINE),
  version: maybe(LINE),
  platform: object<Platform>({ os: oneOf('linux', 'darwin'), arch: oneOf('x64', 'arm64') }),
  retry: count(),
  onlineTimeout: seconds,
})
