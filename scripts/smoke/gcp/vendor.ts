/** Google Cloud, with the usual credentials of the user who runs the checks. */
import { Api as Calls } from '../../../src/clouds/gcp/api.ts'
import { settingsOf } from '../../../src/clouds/gcp/settings.ts'
import type { Check } from '../check.ts'
import { type Checked, PAGE } from '../cloud/checks.ts'
import type { Runs } from '../cloud/runs.ts'
import { GcpAccount } from './account.ts'
import { fullPrice, MACHINES, standby } from './standby.ts'

const notice: Check<Runs> = {
  id: 'notice',
  title: 'a longer notice before a machine is taken back',
  settles: `${PAGE}: whether templates take a longer notice`,
  async run(runs, trial) {
    const run = runs.pair()
    await runs.line(run, /smoke: begins 1 1 /)
    const template = await (runs.account as GcpAccount).template(run.name)
    const scheduling = template?.properties?.scheduling as
      | { readonly preemptionNoticeDuration?: { readonly seconds?: string | number } }
      | undefined
    const seconds = scheduling?.preemptionNoticeDuration?.seconds
    trial.noted('of the template', seconds === undefined ? 'the usual one: a longer one was refused' : `${seconds} s`)
  },
}

export const gcp: Checked = {
  id: 'gcp',
  variables: /^(?:GOOGLE_|GCLOUD_|CLOUDSDK_|GCE_|STORAGE_EMULATOR_HOST$|NO_GCE_CHECK$|METADATA_SERVER_DETECTION$|ACTIONS_ID_TOKEN_)/,
  name: 'compute.googleapis.com',
  closed: ['169.254.169.254:80'],
  takesBack: 'simulateMaintenanceEvent',
  rights: 'compute.instances.simulateMaintenanceEvent, compute.disks.list, compute.firewalls.list, compute.autoscalers.list',
  more: { runs: 1, machines: MACHINES },
  unproven: {
    'first-line': 'how long each step takes',
    leaving: 'which rights leaving a group needs besides',
    refill: 'how long each step takes',
    stop: 'how long each step takes',
    deadline: "what a group's wanted size is after Google has ended its machines",
  },
  checks: [notice, standby],
  last: [fullPrice],
  open: async (context) => new GcpAccount(new Calls(context, settingsOf(context))),
}
