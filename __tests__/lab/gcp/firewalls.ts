/** Firewall rules of a project: https://cloud.google.com/compute/docs/reference/rest/v1/firewalls */
import { linkTo, PROJECT } from './catalogue.ts'
import { type Fields, textOf } from './discovery.ts'
import { exists, invalidField, notFound } from './fault.ts'

/** RFC 1035, as for every resource name and network tag. */
const NAME = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/

export class Firewalls {
  readonly #all = new Map<string, Fields>()

  path(name: string): string {
    return `projects/${PROJECT}/global/firewalls/${name}`
  }

  insert(body: Fields, id: string): Fields {
    const name = textOf(body, 'name')
    const tags = ['sourceTags', 'targetTags'].flatMap((field) => (body[field] ?? []) as readonly string[])
    const odd = [name, ...tags].find((one) => !NAME.test(one))
    if (odd !== undefined) throw invalidField('resource.name', odd, 'It must be a name as RFC 1035 has it.')
    if (!textOf(body, 'network').endsWith('/networks/default'))
      throw notFound(`projects/${PROJECT}/global/networks/${textOf(body, 'network')}`)
    if (this.#all.has(name)) throw exists(this.path(name))
    const rule = { ...body, kind: 'compute#firewall', id, priority: 1000, selfLink: linkTo(this.path(name)) }
    this.#all.set(name, rule)
    return rule
  }

  get(name: string): Fields {
    const found = this.#all.get(name)
    if (!found) throw notFound(this.path(name))
    return found
  }

  all(): readonly Fields[] {
    return [...this.#all.values()]
  }

  remove(name: string): void {
    this.get(name)
    this.#all.delete(name)
  }

  inventory(): readonly string[] {
    return [...this.#all.keys()].map((name) => `firewall rule ${name}`)
  }
}
