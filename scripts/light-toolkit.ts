/**
 * Packages of GitHub's toolkit load an HTTP client of half a megabyte (and an API client) before the first line of every step, for features that are
 * rarely or never used. The bundle uses changed copies that do not. A new release with different code stops the build.
 */
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

interface Copy {
  readonly name: string
  /** The file that is changed. */
  readonly file: string
  readonly changes: readonly (readonly [before: string, after: string])[]
}

const COPIES: readonly Copy[] = [
  {
    // The client is needed only for ID tokens, and loaded when one is requested.
    name: '@actions/core',
    file: 'lib/oidc-utils.js',
    changes: [
      [
        "import { HttpClient } from '@actions/http-client';\nimport { BearerCredentialHandler } from '@actions/http-client/lib/auth';\n",
        '',
      ],
      [
        'static createHttpClient(allowRetry = true, maxRetry = 10) {\n',
        [
          'static async createHttpClient(allowRetry = true, maxRetry = 10) {',
          "const { HttpClient } = await import('@actions/http-client');",
          "const { BearerCredentialHandler } = await import('@actions/http-client/lib/auth');\n",
        ].join('\n        '),
      ],
      ['const httpclient = OidcClient.createHttpClient();', 'const httpclient = yield OidcClient.createHttpClient();'],
    ],
  },
  {
    // Only the workflow context is used; tpi calls the API with a client of its own choice.
    name: '@actions/github',
    file: 'lib/github.js',
    changes: [
      ["import { GitHub, getOctokitOptions } from './utils.js';\n", ''],
      [
        'const GitHubWithPlugins = GitHub.plugin(...additionalPlugins);\n',
        "throw new Error('the API client was left out of this build');\n",
      ],
      ['    return new GitHubWithPlugins(getOctokitOptions(token, options));\n', ''],
    ],
  },
]

/** Puts the copies where modules below `folder` find them first. */
export async function lightToolkit(root: string, folder: string): Promise<void> {
  for (const { name, file, changes } of COPIES) {
    const copy = join(folder, 'node_modules', name)
    await rm(copy, { recursive: true, force: true })
    await cp(join(root, 'node_modules', name), copy, { recursive: true })
    const path = join(copy, file)
    let text = await readFile(path, 'utf8')
    for (const [before, after] of changes) {
      if (text.split(before).length !== 2) throw new Error(`${name}: ${file} no longer has exactly one: ${before}`)
      text = text.replace(before, after)
    }
    await writeFile(path, text)
  }
}
