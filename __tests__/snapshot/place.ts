import { mkdirSync } from 'node:fs'
import { memoryStore } from './memory-store.ts'
import { Home } from './trees.ts'

export interface Place {
  readonly store: ReturnType<typeof memoryStore>
  readonly root: string
  readonly at: string
  readonly folder: string
  readonly warn: (message: string) => void
}

/** For one test: a work directory, and an empty store to save it in. */
export function newPlace(): { readonly home: Home; readonly folder: string; readonly place: Place; readonly warnings: string[] } {
  const home = new Home()
  const folder = `${home.path}/work`
  mkdirSync(folder)
  const warnings: string[] = []
  const warn = (message: string): void => void warnings.push(message)
  return { home, folder, warnings, place: { store: memoryStore(), root: 'id/one/', at: 'slots/0/snap/', folder, warn } }
}
