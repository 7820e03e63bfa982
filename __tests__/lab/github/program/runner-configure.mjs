// Registers its machine with a token from the environment, and writes three files that identify whoever has them as the runner. The words of its
// refusals are those of src/Runner.Listener/Configuration (ConfigurationManager.cs, PromptManager.cs) and src/Misc/layoutroot/config.sh.
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(dirname(process.argv[1]), '..')
const [service, ...args] = process.argv.slice(2)
const token = process.env.ACTIONS_RUNNER_INPUT_TOKEN
delete process.env.ACTIONS_RUNNER_INPUT_TOKEN

function fail(text) {
  console.error(text)
  process.exit(1)
}

if (process.getuid() === 0 && !process.env.RUNNER_ALLOW_RUNASROOT) fail('Must not run with sudo')
if (existsSync(join(root, '.runner'))) fail('Cannot configure the runner because it is already configured.')
const flags = Object.fromEntries(['unattended', 'replace', 'no-default-labels', 'disableupdate'].map((name) => [name, { type: 'boolean' }]))
const texts = Object.fromEntries(['url', 'name', 'labels', 'work', 'runnergroup'].map((name) => [name, { type: 'string' }]))
const { values } = parseArgs({ args, options: { ...flags, ...texts } })
if (!values.unattended || !values.url || !token) fail('Invalid configuration provided for token. Terminating unattended configuration.')
const own = values.labels?.split(',') ?? []
const answer = await fetch(`${service}/_runner/registrations`, {
  method: 'POST',
  body: JSON.stringify({
    token,
    url: values.url,
    name: values.name,
    labels: values['no-default-labels'] ? own : ['self-hosted', 'Linux', 'X64', ...own],
    group: values.runnergroup,
    replace: values.replace === true,
  }),
})
if (answer.status === 404) fail(`Http response code: NotFound from 'POST ${service}/actions/runner-registration'`)
if (answer.status === 503) fail('Http response code: ServiceUnavailable')
if (answer.status === 409) fail(`A runner exists with the same name ${String(values.name)}.`)
if (answer.status !== 200) fail(`Could not find any self-hosted runner group named "${String(values.runnergroup)}".`)
const files = await answer.json()
// GitHub already knows the runner, but the machine does not know that yet.
const there = process.env.TEST_RUNNER_REGISTERED
const ready = () => !there || existsSync(there)
while (!ready()) await new Promise((resolve) => setTimeout(resolve, 50))
// Like the vendor's files, with a byte order mark.
const save = (name, value) => writeFileSync(join(root, name), `\uFEFF${JSON.stringify(value, undefined, 2)}`, { mode: 0o600 })
const settings = { gitHubUrl: values.url, workFolder: values.work, disableUpdate: values.disableupdate === true }
for (const [name, value] of Object.entries(files)) save(name, name === '.runner' ? { ...value, ...settings } : value)
console.log('\n√ Runner successfully added\n√ Settings Saved.\n')
