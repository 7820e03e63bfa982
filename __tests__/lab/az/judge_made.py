"""Microsoft's clients for Python read, scale and delete what tpi has made: python3 judge_made.py ENDPOINT SUBSCRIPTION TOKEN AUTHORITY GROUP"""
import json
import sys

from judge_clients import compute, done, monitor, network, refused, resources

group = sys.argv[5]
sets, said = compute.virtual_machine_scale_sets, {}


def machines():
    return list(compute.virtual_machines.list(group, filter=f"'virtualMachineScaleSet/id' eq '{made.id}'", expand="instanceView"))


made = sets.get(group, group)
profile = made.virtual_machine_profile
said["set"] = [made.sku.capacity, made.orchestration_mode, profile.priority, profile.eviction_policy, made.tags["tpi-name"]]
said["customData"] = "customData" in json.dumps(made.as_dict())
said["power"] = sorted({status.code for one in machines() for status in one.instance_view.statuses})
said["cards"] = sorted(one.tags["tpi-id"] == made.tags["tpi-id"] for one in network.network_interfaces.list(group))
keeper = monitor.autoscale_settings.get(group, group)
said["kept"] = [[one.name, one.capacity.minimum, one.capacity.maximum, one.fixed_date is not None] for one in keeper.profiles]
said["scaled"] = [done(sets.begin_update(group, group, {"sku": {"name": made.sku.name, "tier": made.sku.tier, "capacity": 3}})).sku.capacity, len(machines())]
done(compute.virtual_machines.begin_delete(group, machines()[0].name))
said["one less"] = [sets.get(group, group).sku.capacity, len(machines())]
done(resources.resource_groups.begin_delete(group))
said["gone"] = refused(lambda: resources.resource_groups.get(group))
print(json.dumps(said))
