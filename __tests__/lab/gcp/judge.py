"""Google's client for Python against the emulated project: python3 judge.py ENDPOINT PROJECT"""
import datetime
import json
import time
import uuid

from google.cloud import compute_v1 as gce
from judge_kit import client, done, groups, project, refused, region, templates

name = "tpi-judge-python"
said = {}


def template():
    return gce.InstanceTemplate(
        name=name,
        properties=gce.InstanceProperties(
            machine_type="e2-medium",
            disks=[gce.AttachedDisk(boot=True, auto_delete=True, initialize_params=gce.AttachedDiskInitializeParams(source_image="projects/debian-cloud/global/images/family/debian-12"))],
            network_interfaces=[gce.NetworkInterface(network="global/networks/default")],
            scheduling=gce.Scheduling(
                provisioning_model="SPOT",
                instance_termination_action="DELETE",
                termination_time=(datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)).isoformat(),
            ),
        ),
    )


def group(redistribution):
    return gce.InstanceGroupManager(
        name=name,
        base_instance_name=name,
        target_size=0,
        instance_template=f"projects/{project}/regions/{region}/instanceTemplates/{name}",
        distribution_policy=gce.DistributionPolicy(
            target_shape="ANY", zones=[gce.DistributionPolicyZoneConfiguration(zone=f"zones/{region}-{letter}") for letter in "abc"]
        ),
        update_policy=gce.InstanceGroupManagerUpdatePolicy(instance_redistribution_type=redistribution),
    )


started = templates.insert_unary(project=project, region=region, instance_template_resource=template())
done(started)
said["young"] = refused(lambda: templates.get(project=project, region=region, instance_template=name))
said["twice"] = refused(lambda: templates.insert_unary(project=project, region=region, instance_template_resource=template()))
said["wrong shape"] = refused(
    lambda: groups.insert_unary(project=project, region=region, instance_group_manager_resource=group("PROACTIVE"))
)
done(groups.insert_unary(project=project, region=region, instance_group_manager_resource=group("NONE")))
said["young group"] = refused(lambda: groups.get(project=project, region=region, instance_group_manager=name))
asked = gce.ResizeRegionInstanceGroupManagerRequest(
    project=project, region=region, instance_group_manager=name, size=2, request_id=str(uuid.uuid4())
)
said["same request"] = groups.resize_unary(request=asked).name == groups.resize_unary(request=asked).name


def members():
    return list(groups.list_managed_instances(project=project, region=region, instance_group_manager=name))


until = time.time() + 20
while time.time() < until and [one.instance_status for one in members()] != ["RUNNING", "RUNNING"]:
    time.sleep(0.1)
said["zones"] = sorted(one.instance.split("/")[-3] for one in members())
said["status"] = [one.instance_status for one in members()]
images = client(gce.ImagesClient)
said["image"] = [
    refused(lambda: images.get(project="debian-cloud", image="debian-12")),
    images.get_from_family(project="debian-cloud", family="debian-12").name,
]
request = gce.AggregatedListMachineTypesRequest(project=project, filter="(name = e2-medium) (zone = us-central1-a)")
said["types"] = [
    value
    for _, scope in client(gce.MachineTypesClient).aggregated_list(request=request)
    for one in scope.machine_types
    for value in (one.name, one.zone)
]
done(
    groups.delete_instances_unary(
        project=project,
        region=region,
        instance_group_manager=name,
        region_instance_group_managers_delete_instances_request_resource=gce.RegionInstanceGroupManagersDeleteInstancesRequest(
            instances=[members()[0].instance]
        ),
    )
)
said["one less"] = groups.get(project=project, region=region, instance_group_manager=name).target_size
said["wrong project"] = refused(lambda: groups.get(project="somebody-else", region=region, instance_group_manager=name))
quotas = client(gce.RegionsClient).get(project=project, region=region).quotas
said["quota"] = sorted(one.metric for one in quotas if one.metric in ("CPUS", "PREEMPTIBLE_CPUS"))
done(groups.delete_unary(project=project, region=region, instance_group_manager=name))
said["gone"] = refused(lambda: groups.get(project=project, region=region, instance_group_manager=name))
done(templates.delete_unary(project=project, region=region, instance_template=name))
print(json.dumps(said))
