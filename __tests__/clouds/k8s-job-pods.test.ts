/** Pods for the jobs of runners, made by GitHub's own container hooks: what the runner is told, and which rights its account has. */
import { describe, expect, test } from '@jest/globals'
import { faultsOf } from '../../src/clouds/k8s/faults.ts'
import { JOB_ACCOUNT, jobPodsEnv, jobRoleText } from '../../src/clouds/k8s/job-pods.ts'
import { checkAccount, JOB_RIGHTS } from '../../src/clouds/k8s/job-rights.ts'
import { settingsOf } from '../../src/clouds/k8s/settings.ts'
import { github } from '../../src/forges/github/descriptor.ts'
import { gitlab } from '../../src/forges/gitlab/descriptor.ts'
import { refuseUnsupported } from '../../src/verbs/runner/fit.ts'

const values = { 'container-mode': 'kubernetes', 'job-namespace': 'jobs' }

describe('pods for jobs', () => {
  test('have a namespace, and an account that may make them', async () => {
    expect(() => settingsOf({ values: { 'container-mode': 'kubernetes' } })).toThrow(
      expect.objectContaining({ faults: [expect.objectContaining({ option: 'job-namespace' })] }),
    )
    const faults = (namespace: string, permissionSet?: string) =>
      faultsOf({ size: {}, spot: { want: 'never' }, ...(permissionSet && { permissionSet }) }, settingsOf({ values }), namespace)
    expect(faults('runners', 'tpi-jobs')).toEqual([])
    expect(faults('runners')).toMatchObject([{ option: 'permission-set' }])
    expect(faults('jobs', 'tpi-jobs')).toMatchObject([
      { option: 'job-namespace', message: expect.stringMatching(/^"jobs" is the namespace of the runners/) },
    ])
    expect(settingsOf({ values: { 'job-namespace': 'jobs' } }).jobPods).toBeUndefined()
  })

  test('have one name per slot, whichever machine holds it', () => {
    expect(jobPodsEnv({ namespace: 'jobs' }, 'abc', 'image:1')).toEqual(
      expect.arrayContaining([
        { name: 'ACTIONS_RUNNER_POD_NAME', value: 'tpi-abc-$(TPI_SLOT)' },
        { name: 'ACTIONS_RUNNER_KUBERNETES_NAMESPACE', value: 'jobs' },
        { name: 'ACTIONS_RUNNER_IMAGE', value: 'image:1' },
      ]),
    )
  })

  test('exist only for GitHub', () => {
    const request = {} as Parameters<typeof refuseUnsupported>[0]
    expect(() => refuseUnsupported(request, github, values)).not.toThrow()
    expect(() => refuseUnsupported(request, gitlab, values)).toThrow(
      /^container-mode: "kubernetes" needs GitHub's container hooks, which the runner of GitLab/,
    )
  })

  test('the printed Role grants what the hooks need, in the namespace of the jobs', () => {
    const [account = '', role = '', binding = ''] = jobRoleText('runners', 'jobs').split('---\n').slice(1)
    expect([account, role, binding].map((text) => /^ {2}namespace: (.*)$/m.exec(text)?.[1])).toEqual(['runners', 'jobs', 'jobs'])
    for (const { resource, verbs } of JOB_RIGHTS)
      expect(role).toContain(`["${resource}"]\n    verbs: [${verbs.map((one) => `"${one}"`).join(', ')}]`)
    expect(binding).toContain(`name: ${JOB_ACCOUNT}\n    namespace: runners`)
  })
})

describe('the account of such a runner', () => {
  const check = async (may: (namespace: string, right: string) => boolean): Promise<void> =>
    checkAccount({ own: 'runners', jobs: 'jobs', may: async (namespace, verb, resource) => may(namespace, `${verb} ${resource}`) })

  test('has the rights that it needs in the jobs’ namespace, and none in the runners’', async () => {
    await expect(check((namespace) => namespace === 'jobs')).resolves.toBeUndefined()
  })

  test.each(['get secrets', 'list secrets', 'create pods', 'get pods/exec', 'create pods/exec'])(
    'is refused where it may %s beside the store',
    async (right) => {
      await expect(check((namespace, asked) => namespace === 'jobs' || asked === right)).rejects.toThrow(
        `may ${right} in namespace "runners"`,
      )
    },
  )

  test('that lacks a right is told which, and which command prints the Role', async () => {
    const lacks = check((namespace, asked) => namespace === 'jobs' && asked !== 'create pods/exec')
    await expect(lacks).rejects.toThrow(/may not create pods\/exec in namespace "jobs"; tpi permissions k8s --job-namespace jobs/)
  })
})
