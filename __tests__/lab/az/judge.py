"""Microsoft's clients for Python against the emulated subscription: python3 judge.py ENDPOINT SUBSCRIPTION TOKEN AUTHORITY"""
import json
import time
from datetime import datetime, timedelta, timezone

from judge_clients import compute, done, monitor, network, refused, resources

region, name = "westeurope", "tpi-judge-python"
said = {}

said["no group"] = refused(lambda: resources.resource_groups.get(name))
resources.resource_groups.create_or_update(name, {"location": region, "tags": {"tpi-id": name}})
nsg = done(network.network_security_groups.begin_create_or_update(name, name, {"location": region}))
vnet = done(
    network.virtual_networks.begin_create_or_update(
        name,
        name,
        {
            "location": region,
            "properties": {"addressSpace": {"addressPrefixes": ["10.66.0.0/16"]}, "subnets": [{"name": "machines", "properties": {"addressPrefix": "10.66.0.0/16"}}]},
        },
    )
)
said["network"] = vnet.provisioning_state


def request(capacity, size="Standard_D2s_v5"):
    return {
        "location": region,
        "zones": ["1", "2", "3"],
        "tags": {"tpi-id": name},
        "sku": {"name": size, "tier": "Standard", "capacity": capacity},
        "properties": {
            "orchestrationMode": "Flexible",
            "singlePlacementGroup": False,
            "platformFaultDomainCount": 1,
            "virtualMachineProfile": {
                "priority": "Spot",
                "evictionPolicy": "Delete",
                "osProfile": {"computerNamePrefix": name, "adminUsername": "tpi", "customData": "c2VjcmV0"},
                "storageProfile": {
                    "imageReference": {"publisher": "Canonical", "offer": "ubuntu-24_04-lts", "sku": "server", "version": "latest"},
                    "osDisk": {"createOption": "FromImage", "deleteOption": "Delete"},
                },
                "networkProfile": {
                    "networkApiVersion": "2020-11-01",
                    "networkInterfaceConfigurations": [
                        {
                            "name": "machine",
                            "properties": {
                                "primary": True,
                                "deleteOption": "Delete",
                                "networkSecurityGroup": {"id": nsg.id},
                                "ipConfigurations": [{"name": "machine", "properties": {"subnet": {"id": vnet.subnets[0].id}}}],
                            },
                        }
                    ],
                },
            },
        },
    }


sets = compute.virtual_machine_scale_sets
said["unknown size"] = refused(lambda: done(sets.begin_create_or_update(name, name, request(0, "Standard_X1"))))
made = done(sets.begin_create_or_update(name, name, request(0)))
said["made"] = [made.provisioning_state, made.sku.capacity, "customData" in json.dumps(made.as_dict())]
said["scaled"] = done(sets.begin_update(name, name, {"sku": {"name": "Standard_D2s_v5", "capacity": 3}})).sku.capacity
machines = list(compute.virtual_machines.list(name, filter=f"'virtualMachineScaleSet/id' eq '{made.id}'", expand="instanceView"))
said["zones"] = sorted(one.zones[0] for one in machines)
said["power"] = sorted({status.code for one in machines for status in one.instance_view.statuses})
said["names"] = all(one.name.startswith(name + "_") and len(one.name) == len(name) + 9 for one in machines)
said["parts"] = [len(list(network.network_interfaces.list(name))), len(list(compute.disks.list_by_resource_group(name)))]
said["in use"] = refused(lambda: done(network.network_security_groups.begin_delete(name, name)))
done(compute.virtual_machines.begin_delete(name, machines[0].name))
said["one less"] = sets.get(name, name).sku.capacity
said["evicted"] = compute.virtual_machines.simulate_eviction(name, machines[1].name)
said["after eviction"] = sets.get(name, name).sku.capacity
capacity = {"minimum": "2", "maximum": "3", "default": "2"}
zero = {"minimum": "0", "maximum": "0", "default": "0"}
now = datetime.now(timezone.utc)
dates = {"timeZone": "UTC", "start": (now - timedelta(hours=1)).isoformat(), "end": (now + timedelta(hours=1)).isoformat()}
monitor.autoscale_settings.create_or_update(
    name,
    name,
    {
        "location": region,
        "properties": {
            "targetResourceUri": made.id,
            "enabled": True,
            "profiles": [{"name": "open", "capacity": capacity, "rules": [], "fixedDate": dates}, {"name": "over", "capacity": zero, "rules": []}],
        },
    },
)
until = time.time() + 20
while time.time() < until and sets.get(name, name).sku.capacity != 2:
    time.sleep(0.1)
said["refilled"] = sets.get(name, name).sku.capacity
said["log"] = sorted(
    {
        one.operation_name.value.split("/")[-2]
        for one in monitor.activity_logs.list(f"eventTimestamp ge '{(now - timedelta(hours=1)).isoformat()}' and resourceGroupName eq '{name}'")
    }
)
said["by tag"] = sorted(one.name for one in resources.resource_groups.list(filter=f"tagName eq 'tpi-id' and tagValue eq '{name}'"))
said["sizes"] = [one.name for one in compute.resource_skus.list(filter=f"location eq '{region}'") if one.name == "Standard_D2s_v5"]
said["spot quota"] = [one.limit for one in compute.usage.list(region) if one.name.value == "lowPriorityCores"]
done(resources.resource_groups.begin_delete(name))
said["gone"] = refused(lambda: resources.resource_groups.get(name))
print(json.dumps(said))
