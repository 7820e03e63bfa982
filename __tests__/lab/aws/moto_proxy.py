"""moto's proxy, made to accept what AWS accepts and moto refuses: removing an egress rule exactly as the group's description shows it."""
from moto.ec2.exceptions import InvalidPermissionNotFoundError
from moto.ec2.models.security_groups import SecurityGroupBackend
from moto.proxy import main

strict = SecurityGroupBackend.revoke_security_group_egress


def revoke(self, *args, **kwargs):
    try:
        return strict(self, *args, **kwargs)
    except InvalidPermissionNotFoundError:
        return None


SecurityGroupBackend.revoke_security_group_egress = revoke
main()
