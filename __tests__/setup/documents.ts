/** The command lines in a page of the documents: those in code blocks, and those in its sentences. */

/** Placeholders for the reader's own values. */
const STAND_INS: Readonly<Record<string, string>> = {
  NAME: 'spoken',
  DIR: './spoken-of',
  GLOB: "'models/**'",
  COMMAND: 'true',
  CLOUD: 'local',
  URL: 's3://bucket/prefix',
  ARN: 'arn:aws:iam::123456789012:policy/boundary',
  ID: '11111111-1111-1111-1111-111111111111',
  PROJECT: 'my-project',
  REGION: 'us-central1',
  IMAGE: 'python:3.13',
  BUCKET: 'bucket',
  PREFIX: 'prefix',
  PATH: 'data',
}

/** Placeholders are replaced by values. */
export function shownIn(page: string): string[] {
  const blocks = [...page.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```/gm)].flatMap(([, language = '', block = '']) =>
    ['', 'sh', 'bash', 'console', 'yaml'].includes(language) ? [block.replaceAll('\\\n', ' ')] : [],
  )
  return blocks
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/^ *- (.*)npx --yes @iterative\/tpi-action@1 /, '$1tpi '))
    .filter((line) => /^ *(?:grep [^|]* \|\| )?tpi [a-z]/.test(line))
    .map((line) => line.replace(/\s+#.*/, '').replace('sha256:…', `sha256:${'0a'.repeat(32)}`))
    .map((line) => line.replace(/ …$/, ' -- python3 train.py').trim())
}

/** In prose and tables; a verb alone is part of the sentence. */
export function spokenIn(page: string, own: Readonly<Record<string, string>> = {}): string[] {
  const prose = page.replace(/^ *```[\s\S]*?^ *```/gm, '')
  return [...prose.matchAll(/`(tpi [a-z]+ [^`\n]+)`/g)].map(([, line = '']) =>
    line.replaceAll('\\|', '|').replace(/\b(?:[A-Z]{2,})\b/g, (word) => own[word] ?? STAND_INS[word] ?? word),
  )
}

export const verbOf = (line: string): string => /\btpi (\w+)/.exec(line)?.[1] ?? ''
