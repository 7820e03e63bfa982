/**
 * Values that may be secrets although nobody declared them: a workflow may put a secret anywhere, and only GitHub's runner knows which
 * values are secret.
 */
import { secretNeedles } from '../../lib/redact.ts'
import { holdsCredential } from '../../options/sources/environment.ts'
import type { VerbContext } from '../shared/context.ts'

/** Shorter values of the program's environment are settings; longer ones may be either. */
const SHORTEST = 8
const SECRET_NAME = /TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|CONFIGURATION/i
/** As most of these are written: https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns */
const TOKEN = /[A-Za-z0-9+/=_-]{20,}/g

export function doubtfulNeedles({ parsed, env }: Pick<VerbContext, 'parsed' | 'env'>): readonly Buffer[] {
  const { environment, program, setup } = parsed
  const given = Object.values(environment.env).filter((value) => value.length >= SHORTEST)
  const around = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= SHORTEST && (SECRET_NAME.test(name) || holdsCredential(name)) ? [value] : [],
  )
  const words = program && 'script' in program ? [program.script] : (program?.argv ?? [])
  const texts = setup ? [...words, setup.script] : words
  const written = texts.flatMap((text) => text.match(TOKEN) ?? []).filter((word) => /[a-z]/i.test(word) && /\d/.test(word) && !isPath(word))
  return secretNeedles([...Object.values(environment.secrets), ...given, ...around, ...written])
}

/** Each part of a path is in one case. Keys may contain slashes too, but they mix upper and lower case. */
const isPath = (word: string): boolean => word.includes('/') && word.split('/').every((part) => /^(?:[a-z\d_-]*|[A-Z\d_-]*)$/.test(part))
