/**
 * `@actions/core` imports an HTTP client of half a megabyte for ID tokens, before the first line of every step. The bundle takes a copy of
 * it that loads the client when a token is asked for. A release of it that looks different stops the build.
 */
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const CHANGES: readonly (readonly [string, string])[] = [
  ["import { HttpClient } from '@actions/http-client';\nimport { BearerCredentialHandler } from '@actions/http-client/lib/auth';\n", ''],
  [
    'static createHttpClient(allowRetry = true, maxRetry = 10) {\n',
    [
      'static async createHttpClient(allowRetry = true, maxRetry = 10) {',
      "const { HttpClient } = await import('@actions/http-client');",
      "const { BearerCredentialHandler } = await import('@actions/http-client/lib/auth');\n",
    ].join('\n        '),
  ],
  ['const httpclient = OidcClient.createHttpClient();', 'const httpclient = yield OidcClient.createHttpClient();'],
]

/** Puts the copy where the modules below `folder` find it first. */
export async function lightCore(root: string, folder: string): Promise<void> {
  const copy = join(folder, 'node_modules/@actions/core')
  await rm(copy, { recursive: true, force: true })
  await cp(join(root, 'node_modules/@actions/core'), copy, { recursive: true })
  const path = join(copy, 'lib/oidc-utils.js')
  let text = await readFile(path, 'utf8')
  for (const [before, after] of CHANGES) {
    if (text.split(before).length !== 2) throw new Error(`@actions/core: oidc-utils.js no longer has exactly one: ${before}`)
    text = text.replace(before, after)
  }
  await writeFile(path, text)
}
