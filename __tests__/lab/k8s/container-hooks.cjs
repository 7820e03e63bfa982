// The parts of GitHub's container hooks that matter for their permissions: pods and commands in them, with this pod's account, in the given
// namespace. Source: packages/k8s of actions/runner-container-hooks, 0.8.1 (src/index.ts, src/hooks/*.ts, src/k8s/index.ts). Left out: services,
// files, registries.
const { readFileSync, writeFileSync } = require('node:fs')
const { request } = require('node:https')

const account = (name) => readFileSync(`/var/run/secrets/kubernetes.io/serviceaccount/${name}`, 'utf8')
const { env } = process
const runner = env.ACTIONS_RUNNER_POD_NAME
const pods = `/api/v1/namespaces/${env.ACTIONS_RUNNER_KUBERNETES_NAMESPACE}/pods`
const mine = `labelSelector=${encodeURIComponent(`runner-pod=${runner}`)}`
const options = (method, path, headers = {}) => ({
  host: env.KUBERNETES_SERVICE_HOST,
  port: env.KUBERNETES_SERVICE_PORT,
  ca: account('ca.crt'),
  method,
  path,
  headers: { authorization: `Bearer ${account('token')}`, ...headers },
})

const call = (method, path, body) =>
  new Promise((resolve, reject) => {
    const said = body ? JSON.stringify(body) : ''
    const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(said)) }
    const asked = request(options(method, path, headers), (answer) => {
      let text = ''
      answer.on('data', (chunk) => void (text += chunk))
      answer.on('end', () => {
        if (answer.statusCode < 300) resolve(JSON.parse(text))
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`))
      })
    })
    asked.on('error', reject)
    asked.end(said)
  })

const prune = async () => {
  const { items } = await call('GET', `${pods}?${mine}`)
  for (const { metadata } of items)
    await call('DELETE', `${pods}/${metadata.name}`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 })
}

/** Resolves to the exit code: channels 1 and 2 of the protocol are the output, 3 tells how it ended. */
const exec = (pod, command) =>
  new Promise((resolve, reject) => {
    const words = command.map((word) => `&command=${encodeURIComponent(word)}`).join('')
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-protocol': 'v4.channel.k8s.io',
    }
    const key = { 'sec-websocket-key': Buffer.from('0123456789abcdef').toString('base64') }
    const asked = request(options('GET', `${pods}/${pod}/exec?container=job&stdout=1&stderr=1${words}`, { ...upgrade, ...key }))
    asked.on('response', (answer) => reject(new Error(`exec: ${answer.statusCode}`)))
    asked.on('error', reject)
    asked.on('upgrade', (_, socket, head) => {
      let rest = head
      const take = (chunk) => {
        rest = Buffer.concat([rest, chunk])
        for (;;) {
          const short = rest[1] & 127
          const from = short === 126 ? 4 : 2
          const size = short === 126 ? rest.readUInt16BE(2) : short
          if (rest.length < 2 || rest.length < from + size) return
          // Close and ping frames have no channel.
          const channel = (rest[0] & 15) < 8 ? rest[from] : undefined
          const said = rest.subarray(from + 1, from + size)
          rest = rest.subarray(from + size)
          if (channel === 1 || channel === 2) process.stdout.write(said)
          if (channel !== 3) continue
          const { status, details } = JSON.parse(said.toString())
          resolve(status === 'Success' ? 0 : Number(details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message ?? 1))
        }
      }
      socket.on('data', take)
      socket.on('close', () => reject(new Error('exec: the line broke')))
      take(Buffer.alloc(0))
    })
    asked.end()
  })

const commands = {
  async prepare_job({ container }, _, responseFile) {
    if (!container) throw new Error('Job Container is required.')
    await prune()
    const { spec } = JSON.parse(readFileSync(env.ACTIONS_RUNNER_CONTAINER_HOOK_TEMPLATE, 'utf8'))
    const name = `${runner.slice(0, 63 - '-workflow'.length)}-workflow`
    const job = { name: 'job', image: container.image, command: ['tail'], args: ['-f', '/dev/null'] }
    await call('POST', pods, {
      metadata: { name, labels: { 'runner-pod': runner } },
      spec: { restartPolicy: 'Never', containers: [job], ...spec },
    })
    for (let phase; phase !== 'Running'; phase = (await call('GET', `${pods}/${name}`)).status.phase)
      await new Promise((resolve) => setTimeout(resolve, 200))
    writeFileSync(responseFile, JSON.stringify({ state: { jobPod: name }, isAlpine: false, context: {} }))
  },
  run_script_step: async ({ entryPoint, entryPointArgs }, { jobPod }) => exec(jobPod, [entryPoint, ...entryPointArgs]),
  cleanup_job: prune,
}

const main = async () => {
  const { command, args, state, responseFile } = JSON.parse(readFileSync(0, 'utf8'))
  process.exit((await commands[command](args, state, responseFile)) ?? 0)
}
main().catch((error) => {
  console.error(error.message)
  process.exit(1)
})
