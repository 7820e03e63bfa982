/** `reservation`: machines of a capacity reservation of the user's own, and no others. Such a one is of one machine type in one place. */
import type { SpotRequest } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'

export interface ReservationRule {
  readonly right: RegExp
  /** How one is named, for people. */
  readonly such: string
  /** What says in which place it is; absent: the vendor knows. */
  readonly place?: string
}

export interface ReservedRequest {
  readonly reservation: string | undefined
  /** Those that were named. */
  readonly types: readonly string[]
  readonly spot: SpotRequest
  /** Its place is named. */
  readonly placed: boolean
}

export function reservationFaults({ right, such, place }: ReservationRule, { reservation, types, spot, placed }: ReservedRequest): Fault[] {
  if (reservation === undefined) return []
  const fault = (message: string, hint: string): Fault => ({ option: 'reservation', message, hint })
  return [
    ...(right.test(reservation) ? [] : [fault(`"${reservation}" is not a reservation of capacity`, `write ${such}`)]),
    ...(spot.want === 'never' ? [] : [fault('reserved capacity is never a spot machine', 'leave spot out, or the reservation')]),
    ...(types.length === 1 ? [] : [fault('it is for one machine type, but none or several were named', 'name its type: --machine TYPE')]),
    ...(placed || place === undefined ? [] : [fault('it is in one zone, but none was named', `name it: ${place}`)]),
  ]
}
