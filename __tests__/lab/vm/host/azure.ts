/**
 * Makes cloud-init recognize a machine of the lab as one of Azure: the asset tag of its chassis, an address from DHCP (option 245) of a service that
 * knows its goal state, and the provisioning document with the custom data (cloudinit/sources/DataSourceAzure.py).
 */
import { createHash } from 'node:crypto'
import { startAzureMetadata, WIRESERVER } from '../../../boot/azure-metadata.ts'
import type { Vendor } from './cloud.ts'
import { gatewayOf, MAC, METADATA } from './network.ts'

/** The UUID in the firmware, with the byte order of the network. */
const uuidOf = (id: string): string =>
  createHash('sha256')
    .update(id)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5')

export const azure: Vendor = {
  source: 'Azure',
  firmware: { chassis_asset_tag: '7783-7084-3265-9085-8269-3286-77', product_uuid: '11112222-3333-4444-5555-666677778888' },
  files: ({ id, userData }) => ({
    'etc/cloud/cloud.cfg.d/98-lab.cfg': 'datasource:\n  Azure: {apply_network_config: false}',
    // The address of the host's service is also that of the resolver:
    // https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
    'etc/resolv.conf': `nameserver ${WIRESERVER}`,
    'var/lib/cloud/seed/azure/ovf-env.xml': ovfEnv(id, userData),
  }),
  network: ({ address }) => {
    const routes = ['0.0.0.0/0', `${WIRESERVER}/32`, `${METADATA}/32`].map((to) => `${to},${gatewayOf(address)}`)
    return {
      further: [
        [WIRESERVER, 80],
        [WIRESERVER, 32_526],
      ],
      dhcp: [
        `--listen-address=${WIRESERVER}`,
        `--dhcp-option=245,${WIRESERVER}`,
        `--dhcp-option=option:classless-static-route,${routes.join()}`,
      ],
    }
  },
  async serve({ id, address, region, zone, spot, metadata }, socket) {
    const compute = {
      azEnvironment: 'AzurePublicCloud',
      location: region,
      name: id,
      osProfile: { adminUsername: 'tpi', computerName: hostName(id), disablePasswordAuthentication: 'true' },
      osType: 'Linux',
      platformFaultDomain: '0',
      priority: spot ? 'Spot' : 'Regular',
      publicKeys: [],
      vmId: uuidOf(id),
      vmSize: 'Standard_D2s_v5',
      zone,
    }
    const ipv4 = {
      ipAddress: [{ privateIpAddress: address, publicIpAddress: '' }],
      subnet: [{ address: address.replace(/\d+$/, '0'), prefix: '24' }],
    }
    const network = { interface: [{ ipv4, ipv6: { ipAddress: [] }, macAddress: MAC.replaceAll(':', '').toUpperCase() }] }
    return await startAzureMetadata(
      {
        instance: () => ({ compute: { ...compute, ...JSON.parse(metadata.get('compute') ?? '{}') }, network }),
        events: () => JSON.parse(metadata.get('events') ?? '[]') as object[],
        started: (ids) => metadata.begin?.(ids),
        token: (resource, client) => metadata.get(`token ${client} ${resource}`),
      },
      socket,
    )
  },
}

/** The name of a machine of a set contains an underscore, which a host name must not. */
const hostName = (id: string): string => id.replaceAll('_', '')

/** http://schemas.dmtf.org/ovf/environment/1 as `OvfEnvXml` of cloudinit/sources/helpers/azure.py reads it. */
function ovfEnv(id: string, customData: Uint8Array): string {
  const data = Buffer.from(customData).toString('base64')
  return `<?xml version="1.0" encoding="utf-8"?>
<Environment xmlns="http://schemas.dmtf.org/ovf/environment/1" xmlns:wa="http://schemas.microsoft.com/windowsazure">
<wa:ProvisioningSection><wa:Version>1.0</wa:Version><LinuxProvisioningConfigurationSet xmlns="http://schemas.microsoft.com/windowsazure">
<ConfigurationSetType>LinuxProvisioningConfiguration</ConfigurationSetType><HostName>${hostName(id)}</HostName><UserName>tpi</UserName>
<DisableSshPasswordAuthentication>true</DisableSshPasswordAuthentication><CustomData>${data}</CustomData>
</LinuxProvisioningConfigurationSet></wa:ProvisioningSection>
<wa:PlatformSettingsSection><wa:Version>1.0</wa:Version><PlatformSettings xmlns="http://schemas.microsoft.com/windowsazure">
<KmsServerHostname>kms</KmsServerHostname><ProvisionGuestAgent>false</ProvisionGuestAgent><PreprovisionedVm>false</PreprovisionedVm>
</PlatformSettings></wa:PlatformSettingsSection></Environment>`
}
