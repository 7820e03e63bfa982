/**
 * `node cache-step.ts restore|save`: a step that keeps files in the cache of GitHub Actions with the official client; inputs and outputs are those
 * documented for `actions/cache/restore` and `actions/cache/save`: https://github.com/actions/cache#inputs
 */
import { restoreCache, saveCache } from '@actions/cache'
import { getInput, getMultilineInput, setOutput } from '@actions/core'

const paths = getMultilineInput('path', { required: true })
const key = getInput('key', { required: true })

if (process.argv[2] === 'save') {
  await saveCache(paths, key)
} else {
  const found = await restoreCache(paths, key, getMultilineInput('restore-keys'))
  setOutput('cache-primary-key', key)
  setOutput('cache-matched-key', found ?? '')
  setOutput('cache-hit', found === undefined ? '' : String(found === key))
}
