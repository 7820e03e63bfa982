import type { Log } from '../../src/core/cloud.ts'

export const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
