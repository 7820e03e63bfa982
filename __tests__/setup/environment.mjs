// Jest runs tests in a realm of their own, so an error made by Node itself is not an `instanceof Error` there, unlike in the product.
// This makes the tests' realm behave like the product. It also gives all tests more time on a machine that is slow or busy.
import { types } from 'node:util'
import { TestEnvironment } from 'jest-environment-node'
import { PATIENCE } from './patience.ts'

export default class Environment extends TestEnvironment {
  async setup() {
    await super.setup()
    const RealmError = this.global.Error
    Object.defineProperty(RealmError, Symbol.hasInstance, {
      value(candidate) {
        return (this === RealmError && types.isNativeError(candidate)) || Function.prototype[Symbol.hasInstance].call(this, candidate)
      },
    })
  }

  #patient = new WeakSet()

  /** Hooks and tests with a limit of their own are met again when a test is tried again. */
  #stretch(limited) {
    if (!limited.timeout || this.#patient.has(limited)) return
    this.#patient.add(limited)
    limited.timeout *= PATIENCE
  }

  handleTestEvent(event, state) {
    if (event.name === 'run_start') state.testTimeout *= PATIENCE
    else if (event.name === 'test_start') this.#stretch(event.test)
    else if (event.name === 'hook_start') this.#stretch(event.hook)
  }
}
