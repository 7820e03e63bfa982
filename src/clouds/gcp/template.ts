/** A request → the template from which machines are made, and the group. */
import type { MachineSpec } from '../../core/cloud.ts'
import { tagsText } from '../../core/tags.ts'
import { METADATA_HOST } from '../../vendors/metadata-service.ts'
import type { StorePlace } from '../../wire/store.ts'
import { diskGigabytes, vmUserData } from '../vm/bootstrap.ts'
import { type GroupKind, groupKinds, twinSide } from '../vm/spot-standby.ts'
import { GCE } from './boot.ts'
import { untilDeadline } from './deadline.ts'
import { FACTS, groupName, twinName } from './names.ts'
import type { Placement } from './placement.ts'
import type { InstanceGroupManager, InstanceProperties, InstanceTemplate } from './sdk.ts'
import type { Settings } from './settings.ts'
import { canMove, hasGpu } from './sizes.ts'
import { labels } from './tags.ts'

export interface TemplateParams {
  readonly spec: MachineSpec
  readonly settings: Settings
  readonly placement: Placement
  /** Settings of the vendor's own storage: address. */
  readonly storage?: StorePlace['settings']
  /** The endpoint of the compute API, if it is not the vendor's own. */
  readonly endpoint?: string
  /** Ask for notice two minutes before a spot machine ends, not half a minute: some projects and types do not support it. */
  readonly early: boolean
  /** There is, or will be, a firewall rule that lets machines reach each other. */
  readonly rule?: boolean
  /** The caller may make and remove such a rule, so the template does not wait for it. */
  readonly mayRule?: boolean
}

/** The groups of a deployment: each has a template of the same name. */
export const kindsOf = ({ tags, spot }: Pick<MachineSpec, 'tags' | 'spot'>): ReturnType<typeof groupKinds> =>
  groupKinds(spot, groupName(tags), twinName(tags))

const METADATA = [METADATA_HOST, 'fd20:ce::254']
/** Seconds of notice before a spot machine goes. https://cloud.google.com/compute/docs/instances/spot#preemption-process */
const NOTICE = 120

export function bootText(params: TemplateParams, kind: GroupKind): string {
  const first = groupName(params.spec.tags)
  const { spec, settings, placement, endpoint, storage } = params
  return vmUserData({
    cloud: 'gcp',
    spec,
    arch: placement.choice.arch,
    system: settings,
    ...(storage && { storage }),
    metadata: METADATA,
    dialect: GCE,
    side: {
      group: kind.name,
      project: placement.project,
      region: placement.region,
      ...(isEarly(params, kind) && { notice: String(NOTICE) }),
      ...twinSide(spec, twinName(spec.tags)),
      ...(kind.name !== first && { first }),
      ...(endpoint !== undefined && { endpoint }),
    },
  })
}

export function templateInput(params: TemplateParams, kind: GroupKind): InstanceTemplate {
  return { name: kind.name, description: `tpi-action: ${params.spec.tags.name}`, properties: propertiesOf(params, kind) }
}

function propertiesOf(params: TemplateParams, kind: GroupKind): InstanceProperties {
  const { spec, settings, placement } = params
  const [machineType = ''] = placement.choice.types
  const boot = bootText(params, kind)
  return {
    machineType,
    labels: labels(spec.tags),
    // The same text twice, for images that support only startup scripts. It runs only once, whichever way it starts.
    metadata: {
      items: [
        { key: 'user-data', value: boot },
        { key: 'startup-script', value: boot.replace(/^#cloud-boothook\n/, '') },
        { key: 'block-project-ssh-keys', value: 'true' },
        { key: FACTS, value: tagsText(spec.tags) },
      ],
    },
    disks: [diskOf(params), ...Array.from({ length: placement.choice.ssds ?? 0 }, localDisk)],
    networkInterfaces: [
      {
        subnetwork: placement.network.subnetwork,
        ...(placement.network.network !== undefined && { network: placement.network.network }),
        ...((settings.publicAddress ?? !placement.network.nat) && { accessConfigs: [{ type: 'ONE_TO_ONE_NAT', name: 'external' }] }),
      },
    ],
    serviceAccounts: [{ email: placement.account.email, scopes: [...placement.account.scopes] }],
    // The firewall rule applies to this tag, and it tells a removal that there is a rule.
    ...(params.rule && { tags: { items: [groupName(spec.tags)] } }),
    scheduling: schedulingOf(params, kind),
    ...(settings.reservation !== undefined && { reservationAffinity: affinityTo(settings.reservation) }),
    ...(placement.choice.added && {
      guestAccelerators: [{ acceleratorType: placement.choice.added.type, acceleratorCount: placement.choice.added.count }],
    }),
    // Some images have unsigned GPU drivers, so machines with a GPU boot without secure boot.
    ...(placement.image.uefi && {
      shieldedInstanceConfig: { enableSecureBoot: !hasGpu(placement.choice), enableVtpm: true, enableIntegrityMonitoring: true },
    }),
  }
}

/**
 * A reservation of this project, or one that another project shares.
 * https://docs.cloud.google.com/compute/docs/instances/reservations-consume#consuming_instances_from_a_specific_reservation
 */
function affinityTo(reservation: string): NonNullable<InstanceProperties['reservationAffinity']> {
  const [name = '', project] = reservation.split('/').reverse()
  return {
    consumeReservationType: 'SPECIFIC_RESERVATION',
    key: 'compute.googleapis.com/reservation-name',
    values: [project === undefined ? name : `projects/${project}/reservations/${name}`],
  }
}

function diskOf({ spec, settings, placement }: TemplateParams): NonNullable<InstanceProperties['disks']>[number] {
  return {
    boot: true,
    autoDelete: true,
    initializeParams: {
      sourceImage: placement.image.url,
      diskType: placement.choice.disk,
      diskSizeGb: String(diskGigabytes(spec, placement.image.gigabytes)),
      labels: labels(spec.tags),
    },
    ...(settings.customerKey !== undefined && { diskEncryptionKey: { kmsKeyName: settings.customerKey } }),
  }
}

/** https://cloud.google.com/compute/docs/disks/add-local-ssd */
const localDisk = (): NonNullable<InstanceProperties['disks']>[number] => ({
  type: 'SCRATCH',
  interface: 'NVME',
  autoDelete: true,
  initializeParams: { diskType: 'local-ssd' },
})

const isEarly = ({ early }: TemplateParams, { spot }: GroupKind): boolean => early && spot

function schedulingOf(params: TemplateParams, kind: GroupKind): NonNullable<InstanceProperties['scheduling']> {
  const { spec, placement } = params
  const { spot } = kind
  return {
    ...untilDeadline(spec.tags),
    automaticRestart: false,
    provisioningModel: spot ? 'SPOT' : 'STANDARD',
    onHostMaintenance: spot || !canMove(placement.choice) ? 'TERMINATE' : 'MIGRATE',
    ...(isEarly(params, kind) && { preemptionNoticeDuration: { seconds: String(NOTICE) } }),
  }
}

/**
 * Machines start in any zone that has room; broken machines are replaced in any zone that has room; machines are never moved to balance the zones.
 * https://cloud.google.com/compute/docs/instance-groups/about-instance-flexibility · .../regional-mig-distribution-shape
 *
 * A twin has the closest other shape: a group with `ANY` cannot have an autoscaler, which is what starts it.
 * https://cloud.google.com/compute/docs/instance-groups/regional-migs#autoscaling_a_regional_mig
 */
export function groupInput({ spec, placement }: TemplateParams, { name }: GroupKind): InstanceGroupManager {
  const { types } = placement.choice
  return {
    name,
    baseInstanceName: name,
    description: `tpi-action: ${spec.tags.name}`,
    targetSize: 0,
    instanceTemplate: `projects/${placement.project}/regions/${placement.region}/instanceTemplates/${name}`,
    distributionPolicy: {
      targetShape: name === twinName(spec.tags) ? 'BALANCED' : 'ANY',
      zones: placement.zones.map((zone) => ({ zone: `projects/${placement.project}/zones/${zone}` })),
    },
    ...(types.length > 1 && { instanceFlexibilityPolicy: { instanceSelections: selectionsOf(types) } }),
    updatePolicy: { type: 'OPPORTUNISTIC', instanceRedistributionType: 'NONE' },
    // A repair may change the zone only if it also applies the newest template (`forceUpdateOnRepair`), which never changes here:
    // https://cloud.google.com/compute/docs/instance-groups/repair-vm-in-alternate-zone#limitations
    instanceLifecyclePolicy: { defaultActionOnFailure: 'REPAIR', forceUpdateOnRepair: 'YES', onRepair: { allowChangingZone: 'YES' } },
  }
}

/** The better half of the types comes first: within a half, the vendor takes the type that is least likely to be reclaimed. */
function selectionsOf(types: readonly string[]): Record<string, { machineTypes: string[]; rank: number }> {
  const half = Math.ceil(types.length / 2)
  return {
    first: { machineTypes: types.slice(0, half), rank: 1 },
    second: { machineTypes: types.slice(half), rank: 2 },
  }
}
