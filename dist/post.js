const OLDEST = [22, 15]

function recent(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

if (recent(process.versions.node)) await import('./index.js').then(({ runPost }) => runPost())
