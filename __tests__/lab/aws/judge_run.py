"""A run that a command has made, found by its tags with boto3, described and removed: prints a JSON line of what it saw, or an error of the client itself."""
import json, sys, time
import boto3
from botocore.exceptions import ClientError

ec2, scaling, iam, s3 = (boto3.client(name) for name in ("ec2", "autoscaling", "iam", "s3"))
NAME, BUCKET = sys.argv[1:]
OURS = [{"Name": "tag:tpi:name", "Values": [NAME]}]
seen = {}


def wait(what, look):
    for _ in range(300):
        found = look()
        if found:
            return found
        time.sleep(0.1)
    raise SystemExit(f"waited in vain until {what}")


def instances(state):
    found = ec2.describe_instances(Filters=[*OURS, {"Name": "instance-state-name", "Values": [state]}])
    return [one for reservation in found["Reservations"] for one in reservation["Instances"]]


def names(pairs):
    return sorted(pair["Key"] for pair in pairs if pair["Key"].startswith("tpi:"))


def removed(call, **fields):
    try:
        call(**fields)
        return True
    except ClientError as error:
        if error.response["Error"]["Code"] == "DependencyViolation":
            return False
        raise


[group] = scaling.describe_auto_scaling_groups(Filters=OURS)["AutoScalingGroups"]
name = group["AutoScalingGroupName"]
tags = {tag["Key"]: tag["Value"] for tag in group["Tags"]}
seen["group"] = [group["MinSize"], group["MaxSize"], group["DesiredCapacity"], tags["tpi:mode"], name == f"{tags['tpi:id']}-{tags['tpi:incarnation']}"]
seen["suspended"] = [one["ProcessName"] for one in group["SuspendedProcesses"]]
seen["switch"] = [[one["MinSize"], one["MaxSize"], one["DesiredCapacity"]] for one in scaling.describe_scheduled_actions(AutoScalingGroupName=name)["ScheduledUpdateGroupActions"]]
[template] = ec2.describe_launch_templates(Filters=OURS)["LaunchTemplates"]
[version] = ec2.describe_launch_template_versions(LaunchTemplateId=template["LaunchTemplateId"], Versions=["$Latest"])["LaunchTemplateVersions"]
data = version["LaunchTemplateData"]
seen["template"] = [data["MetadataOptions"]["HttpTokens"], data["BlockDeviceMappings"][0]["Ebs"]["Encrypted"], "KeyName" in data]
machines = wait("both run", lambda: (found := instances("running")) and len(found) == 2 and found)
seen["machines"] = [[one["InstanceLifecycle"], one["IamInstanceProfile"]["Arn"].split(":")[-1].split("/")[1], names(one["Tags"])] for one in machines]
seen["disks"] = [[one["Encrypted"], names(one["Tags"])] for one in ec2.describe_volumes(Filters=OURS)["Volumes"]]
[wall] = ec2.describe_security_groups(Filters=OURS)["SecurityGroups"]
seen["wall"] = [[[pair["GroupId"] == wall["GroupId"] for pair in rule["UserIdGroupPairs"]] or rule["IpRanges"] for rule in wall["IpPermissions"]]]
# moto does not tag interfaces from the template.
seen["interfaces"] = [[group["GroupId"] == wall["GroupId"] for group in interface["Groups"]] for one in machines for interface in one["NetworkInterfaces"]]
[role] = [one["RoleName"] for one in iam.list_roles(PathPrefix="/tpi/")["Roles"]]
seen["role"] = [names(iam.list_role_tags(RoleName=role)["Tags"]), iam.list_role_policies(RoleName=role)["PolicyNames"]]
[profile] = [one["InstanceProfileName"] for one in iam.list_instance_profiles(PathPrefix="/tpi/")["InstanceProfiles"]]
keys = [one["Key"] for page in s3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=tags["tpi:id"] + "/") for one in page.get("Contents", [])]
seen["stored"] = len(keys) > 0
scaling.delete_auto_scaling_group(AutoScalingGroupName=name, ForceDelete=True)
wait("none runs", lambda: not instances("running") and not instances("shutting-down"))
ec2.delete_launch_template(LaunchTemplateId=template["LaunchTemplateId"])
wait("nothing is behind the wall", lambda: removed(ec2.delete_security_group, GroupId=wall["GroupId"]))
iam.remove_role_from_instance_profile(InstanceProfileName=profile, RoleName=role)
iam.delete_instance_profile(InstanceProfileName=profile)
for policy in iam.list_role_policies(RoleName=role)["PolicyNames"]:
    iam.delete_role_policy(RoleName=role, PolicyName=policy)
iam.delete_role(RoleName=role)
for key in keys:
    s3.delete_object(Bucket=BUCKET, Key=key)
json.dump(seen, sys.stdout)
