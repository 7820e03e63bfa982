/** Values of JSON or of options whose shape nobody promises: what is not as expected counts as absent. */

export type Fields = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** No fields if it is not an object. */
export const fieldsIn = (value: unknown): Fields => (isRecord(value) ? value : {})

/** Empty if it is not a text. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** `undefined` if it is not a text, or empty. */
export const textOf = (value: unknown): string | undefined => textIn(value) || undefined

/** The same value with the fields of its objects in alphabetical order, so that equal values have the same JSON. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)]),
  )
}
