"""Google's client for Python reads, resizes and removes what a command has made: python3 judge_ours.py ENDPOINT PROJECT GROUP TWIN"""
import json
import sys
import time

from google.cloud import compute_v1 as gce
from judge_kit import client, done, groups, project, refused, region, templates

name, twin = sys.argv[3:]
said = {}
autoscalers = client(gce.RegionAutoscalersClient)


def of(group):
    return {"project": project, "region": region, "instance_group_manager": group}


def running(count):
    """The members, once there are `count`, all running."""
    until = time.time() + 20
    while time.time() < until:
        members = list(groups.list_managed_instances(**of(name)))
        if [one.instance_status for one in members] == ["RUNNING"] * count:
            return members
        time.sleep(0.1)
    raise AssertionError(f"{count} machines do not run: {members}")


def template(group):
    return templates.get(project=project, region=region, instance_template=group).properties


said["markets"] = [template(group).scheduling.provisioning_model for group in (name, twin)]
said["ends"] = [template(group).scheduling.instance_termination_action for group in (name, twin)]
said["labels"] = sorted(template(name).labels)
said["shapes"] = [groups.get(**of(group)).distribution_policy.target_shape for group in (name, twin)]
policy = autoscalers.get(project=project, region=region, autoscaler=twin).autoscaling_policy
said["policy"] = [policy.mode, policy.max_num_replicas, [one.min_required_replicas for one in policy.scaling_schedules.values()]]
running(2)
done(groups.resize_unary(size=3, **of(name)))
members = running(3)
asked = gce.RegionInstanceGroupManagersDeleteInstancesRequest(instances=[members[0].instance])
done(groups.delete_instances_unary(region_instance_group_managers_delete_instances_request_resource=asked, **of(name)))
said["one less"] = [groups.get(**of(name)).target_size, len(running(2))]
said["in use"] = refused(lambda: groups.delete_unary(**of(twin)))
done(autoscalers.delete_unary(project=project, region=region, autoscaler=twin))
for group in (twin, name):
    done(groups.delete_unary(**of(group)))
said["gone"] = refused(lambda: groups.get(**of(name)))
print(json.dumps(said))
