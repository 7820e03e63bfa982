"""One whole life of a group, by boto3, a third-party client: prints a JSON line of what it saw, or an error of the client itself."""
import base64, datetime, json, sys, time
import boto3
from botocore.exceptions import ClientError

ec2, scaling, ssm, sts, iam, s3 = (boto3.client(name) for name in ("ec2", "autoscaling", "ssm", "sts", "iam", "s3"))
NAME = sys.argv[1]
seen = {}


def code(call, **fields):
    try:
        call(**fields)
        return "done"
    except ClientError as error:
        return error.response["Error"]["Code"]


def wait(wanted):
    for _ in range(300):
        group = scaling.describe_auto_scaling_groups(AutoScalingGroupNames=[NAME])["AutoScalingGroups"][0]
        if sorted(machine["LifecycleState"] for machine in group["Instances"]) == wanted:
            return group
        time.sleep(0.05)
    raise SystemExit(f"never {wanted}: {group['Instances']}")


seen["account"] = sts.get_caller_identity()["Account"]
image = ssm.get_parameter(Name="/aws/service/canonical/ubuntu/server/24.04/stable/current/amd64/hvm/ebs-gp3/ami-id")["Parameter"]["Value"]
seen["device"] = ec2.describe_images(ImageIds=[image])["Images"][0]["RootDeviceName"]
subnets = ec2.describe_subnets(Filters=[{"Name": "default-for-az", "Values": ["true"]}])["Subnets"][:3]
seen["offered"] = len(ec2.describe_instance_type_offerings(LocationType="availability-zone", Filters=[{"Name": "instance-type", "Values": ["m6i.large"]}])["InstanceTypeOfferings"]) > 0
iam.create_instance_profile(InstanceProfileName=NAME)
template = dict(
    LaunchTemplateName=NAME,
    ClientToken=NAME,
    LaunchTemplateData={
        "ImageId": image,
        "UserData": base64.b64encode(b"#cloud-boothook\ntrue").decode(),
        "IamInstanceProfile": {"Name": NAME},
        "MetadataOptions": {"HttpTokens": "required", "HttpPutResponseHopLimit": 1},
        "BlockDeviceMappings": [{"DeviceName": "/dev/sda1", "Ebs": {"VolumeSize": 20, "VolumeType": "gp3", "Encrypted": True, "DeleteOnTermination": True}}],
        "TagSpecifications": [{"ResourceType": "instance", "Tags": [{"Key": "tpi:id", "Value": "judge"}]}],
    },
)
first = ec2.create_launch_template(**template)["LaunchTemplate"]["LaunchTemplateId"]
seen["same token"] = ec2.create_launch_template(**template)["LaunchTemplate"]["LaunchTemplateId"] == first
seen["same name"] = code(ec2.create_launch_template, **{**template, "ClientToken": NAME + "-twice"})
group = dict(
    AutoScalingGroupName=NAME,
    MinSize=0,
    MaxSize=3,
    DesiredCapacity=0,
    VPCZoneIdentifier=",".join(subnet["SubnetId"] for subnet in subnets),
    MixedInstancesPolicy={
        "LaunchTemplate": {"LaunchTemplateSpecification": {"LaunchTemplateName": NAME, "Version": "$Latest"}, "Overrides": [{"InstanceType": "m6i.large"}, {"InstanceType": "m7i.large"}]},
        "InstancesDistribution": {"OnDemandBaseCapacity": 0, "OnDemandPercentageAboveBaseCapacity": 0, "SpotAllocationStrategy": "price-capacity-optimized"},
    },
    Tags=[{"Key": "tpi:incarnation", "Value": "1", "PropagateAtLaunch": True}, {"Key": "tpi:secretless", "Value": "x", "PropagateAtLaunch": False}],
)
scaling.create_auto_scaling_group(**group)
seen["group twice"] = code(scaling.create_auto_scaling_group, **group)
seen["no template"] = code(scaling.create_auto_scaling_group, **{**group, "AutoScalingGroupName": "other", "MixedInstancesPolicy": {"LaunchTemplate": {"LaunchTemplateSpecification": {"LaunchTemplateName": "none"}}}})
now = datetime.datetime.now(datetime.timezone.utc)
action = dict(AutoScalingGroupName=NAME, ScheduledActionName="deadline", MinSize=0, MaxSize=0, DesiredCapacity=0)
seen["past"] = code(scaling.put_scheduled_update_group_action, **action, StartTime=now - datetime.timedelta(hours=1))
scaling.put_scheduled_update_group_action(**action, StartTime=now + datetime.timedelta(hours=1))
seen["schedules"] = [one["ScheduledActionName"] for one in scaling.describe_scheduled_actions(AutoScalingGroupName=NAME)["ScheduledUpdateGroupActions"]]
scaling.suspend_processes(AutoScalingGroupName=NAME, ScalingProcesses=["AZRebalance"])
seen["too many"] = code(scaling.set_desired_capacity, AutoScalingGroupName=NAME, DesiredCapacity=9)
scaling.set_desired_capacity(AutoScalingGroupName=NAME, DesiredCapacity=2)
made = wait(["InService", "InService"])
seen["suspended"] = [one["ProcessName"] for one in made["SuspendedProcesses"]]
seen["zones"] = len({one["AvailabilityZone"] for one in made["Instances"]})
ids = [one["InstanceId"] for one in made["Instances"]]
shown = [one for reservation in ec2.describe_instances(Filters=[{"Name": "tag:tpi:incarnation", "Values": ["1"]}, {"Name": "instance-state-name", "Values": ["running"]}])["Reservations"] for one in reservation["Instances"]]
seen["instances"] = sorted(one["InstanceId"] for one in shown) == sorted(ids)
one = shown[0]
seen["instance"] = [one["InstanceLifecycle"], one["MetadataOptions"]["HttpTokens"], one["IamInstanceProfile"]["Arn"].split("/")[-1], one["State"]["Name"], len(one["NetworkInterfaces"])]
seen["tags"] = sorted(tag["Key"] for tag in one["Tags"])
data = ec2.describe_instance_attribute(InstanceId=ids[0], Attribute="userData")["UserData"]["Value"]
seen["user data"] = base64.b64decode(data).decode()
seen["disk"] = ec2.describe_volumes(Filters=[{"Name": "attachment.instance-id", "Values": [ids[0]]}])["Volumes"][0]["Encrypted"]
left = scaling.terminate_instance_in_auto_scaling_group(InstanceId=ids[0], ShouldDecrementDesiredCapacity=True)["Activity"]
seen["left"] = [left["StatusCode"], wait(["InService"])["DesiredCapacity"]]
seen["left again"] = code(scaling.terminate_instance_in_auto_scaling_group, InstanceId=ids[0], ShouldDecrementDesiredCapacity=True)
ec2.terminate_instances(InstanceIds=[ids[1]])
time.sleep(0.3)
again = wait(["InService"])
seen["replaced"] = again["DesiredCapacity"] == 1 and again["Instances"][0]["InstanceId"] not in ids
seen["in use"] = code(scaling.delete_auto_scaling_group, AutoScalingGroupName=NAME)
scaling.update_auto_scaling_group(AutoScalingGroupName=NAME, MinSize=0, MaxSize=0, DesiredCapacity=0)
wait([])
reasons = scaling.describe_scaling_activities(AutoScalingGroupName=NAME)["Activities"]
seen["activities"] = sorted({one["StatusCode"] for one in reasons}), len(reasons)
scaling.delete_auto_scaling_group(AutoScalingGroupName=NAME, ForceDelete=True)
seen["gone"] = [code(scaling.set_desired_capacity, AutoScalingGroupName=NAME, DesiredCapacity=0), scaling.describe_auto_scaling_groups(AutoScalingGroupNames=[NAME])["AutoScalingGroups"]]
seen["afterwards"] = len(scaling.describe_scaling_activities(AutoScalingGroupName=NAME, IncludeDeletedGroups=True)["Activities"]) == len(reasons)
ec2.delete_launch_template(LaunchTemplateName=NAME)
iam.delete_instance_profile(InstanceProfileName=NAME)
bucket = f"{NAME}-bucket"
s3.create_bucket(Bucket=bucket)
s3.put_public_access_block(Bucket=bucket, PublicAccessBlockConfiguration=dict(BlockPublicAcls=True, IgnorePublicAcls=True, BlockPublicPolicy=True, RestrictPublicBuckets=True))
s3.put_bucket_lifecycle_configuration(Bucket=bucket, LifecycleConfiguration={"Rules": [{"ID": "a", "Status": "Enabled", "Filter": {"Prefix": ""}, "Expiration": {"Days": 30}}]})
s3.put_object(Bucket=bucket, Key="a b/c", Body=b"x" * 1000)
seen["object"] = [len(s3.get_object(Bucket=bucket, Key="a b/c")["Body"].read()), code(s3.put_object, Bucket=bucket, Key="a b/c", Body=b"y", IfNoneMatch="*")]
seen["owner"] = code(s3.head_bucket, Bucket=bucket, ExpectedBucketOwner="999999999999")
s3.delete_object(Bucket=bucket, Key="a b/c")
s3.delete_bucket(Bucket=bucket)
json.dump(seen, sys.stdout)
