/** Notes of merge requests, and uploads for Markdown. Sources: "Notes API", "Markdown uploads API" of GitLab's documentation. */
import type { Answer, Asked } from './double.ts'

export interface DoubleNote {
  readonly id: number
  readonly merge: number
  body: string
  readonly author: number
}

/** The user of the tests' token. */
export const OWN = 42
const MOST = 1_000_000

/**
 * It takes these out of a note, and carries them out; both when it is made and when it is changed. In code or not is not told apart here.
 * Sources: `commands_regex` in lib/gitlab/quick_actions/extractor.rb, app/services/notes/update_service.rb.
 */
const ACTIONS = /^\/(close|merge|approve|unlock|label)(?: ([^\n]*))?(?:\s*\n|$)/gimu

export class Notes {
  readonly all: DoubleNote[] = []
  readonly actions: string[] = []
  readonly uploads: { readonly name: string; readonly bytes: number }[] = []

  add(merge: number, body: string, author: number): DoubleNote {
    const note = { id: 500 + this.all.length, merge, body, author }
    this.all.push(note)
    return note
  }

  async upload({ headers, body }: Asked): Promise<Answer> {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': String(headers['content-type']) } }).formData()
    const file = form.get('file')
    if (!(file instanceof File)) return { status: 400, data: { error: 'file is missing' } }
    this.uploads.push({ name: file.name, bytes: file.size })
    const url = `/uploads/66dbcd21ec5d24ed6ea225176098d52b/${file.name}`
    return { status: 201, data: { id: 5, alt: file.name, url, full_path: `/-/project/7${url}`, markdown: `![${file.name}](${url})` } }
  }

  answer({ method, query, body }: Asked, merge: number, id: string | undefined): Answer {
    const given = method === 'GET' ? '' : ((JSON.parse(body.toString('utf8')) as { body?: string }).body ?? '')
    const text = given.replace(ACTIONS, (action) => {
      this.actions.push(action.trim())
      return ''
    })
    if (text.length > MOST) return { status: 400, data: { message: { note: ['is too long'] } } }
    if (method === 'GET') {
      const size = Number(query.get('per_page') ?? 20)
      const from = (Number(query.get('page') ?? 1) - 1) * size
      // Newest first, as by default.
      const mine = this.all.filter((note) => note.merge === merge).toReversed()
      return { status: 200, data: mine.slice(from, from + size).map(shown) }
    }
    if (method === 'POST') return { status: 201, data: shown(this.add(merge, text, OWN)) }
    const note = this.all.find((one) => String(one.id) === id)
    // Only its author, or an administrator of the project, may edit it.
    if (!note) return { status: 404, data: { message: '404 Note Not Found' } }
    if (note.author !== OWN) return { status: 403, data: { message: '403 Forbidden' } }
    note.body = text
    return { status: 200, data: shown(note) }
  }
}

const shown = ({ id, body, author }: DoubleNote): object => ({
  id,
  body,
  author: { id: author, username: `user-${author}` },
  system: false,
})
