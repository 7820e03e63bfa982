/** Records of ours in the store. */
import type { ControlRecord, CurrentRecord, RegistrationRecord, SecretsRecord } from '../wire/records.ts'
import type { SlotRecord } from '../wire/slot.ts'
import type { Spec } from '../wire/spec.ts'

interface Records {
  readonly slot: SlotRecord
  readonly spec: Spec
  readonly control: ControlRecord
  readonly current: CurrentRecord
  readonly secrets: SecretsRecord
  readonly registration: RegistrationRecord
}

/** Written by us below our own prefix: bytes there that are no such record are an error like any other. */
export function parseRecord<K extends keyof Records>(_kind: K, bytes: Uint8Array): Records[K] {
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as Records[K]
}
