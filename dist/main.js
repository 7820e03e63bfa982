import { appendFileSync } from 'node:fs'

const OLDEST = [22, 15]

function recent(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

function refuse() {
  const remedy = 'update the runner, GitHub\'s to 2.327.1 or newer: it brings Node.js 24, which action.yml asks for'
  console.log('::error::needs Node.js ' + OLDEST.join('.') + ' or newer, and this step was started with ' + process.versions.node + ': ' + remedy)
  if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, 'outcome=invalid\nexit-code=64\n')
  process.exitCode = 64
}

if (recent(process.versions.node)) await import('./index.js').then(({ runMain }) => runMain())
else refuse()
