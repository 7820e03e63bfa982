/** Values of JSON or of options whose shape nobody promises: what is not as expected counts as absent. */

export type Fields = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** No fields if it is not an object. */
export const fieldsIn = (value: unknown): Fields => (isRecord(value) ? value : {})

/** Empty if it is not a text. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** `undefined` if it is not a text, or empty. */
export const textOf = (value: unknown): string | undefined => textIn(value) || undefined

/** The same text for equal values, in whichever order the fields of their objects were written. */
export function sortedJson(value: unknown): string {
  const inOrder = (_key: string, one: unknown): unknown =>
    isRecord(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one
  return JSON.stringify(value, inOrder)
}
