// Jest runs tests in a realm of their own, so an error made by Node itself is not an `instanceof Error` there, unlike in the product.
// This makes the tests' realm behave like the product.
import { types } from 'node:util'
import { TestEnvironment } from 'jest-environment-node'

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
}
