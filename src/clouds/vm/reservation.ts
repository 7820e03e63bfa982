/** `reservation`: only machines from the user's own capacity reservation. A reservation is for one machine type in one place. */
import type { MachineRequest } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { isNative, namedSize } from '../../core/size.ts'

export interface ReservationRule {
  readonly right: RegExp
  /** An example of a name, for people. */
  readonly such: string
  /** The option that says where it is; absent: the vendor knows. */
  readonly place?: string
}

export interface ReservedRequest extends Pick<MachineRequest, 'size' | 'spot'> {
  readonly reservation: string | undefined
  /** The user has named its place. */
  readonly placed: boolean
}

/** `typesOf`: the machine types of a size. Only those that the user named count. */
export function reservationFaults(
  { right, such, place }: ReservationRule,
  { reservation, size, spot, placed }: ReservedRequest,
  typesOf: (size: MachineRequest['size']) => { readonly types: readonly string[] } | undefined,
): Fault[] {
  if (reservation === undefined) return []
  const types = isNative(namedSize(size)) ? (typesOf(size)?.types ?? []) : []
  const fault = (message: string, hint: string): Fault => ({ option: 'reservation', message, hint })
  return [
    ...(right.test(reservation) ? [] : [fault(`"${reservation}" is not a reservation of capacity`, `write ${such}`)]),
    ...(spot.want === 'never' ? [] : [fault('reserved capacity is never a spot machine', 'leave spot out, or the reservation')]),
    ...(types.length === 1 ? [] : [fault('it is for one machine type, but none or several were named', 'name its type: --machine TYPE')]),
    ...(placed || place === undefined ? [] : [fault('it is in one zone, but none was named', `name it: ${place}`)]),
  ]
}
