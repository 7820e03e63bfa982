"""moto's proxy, which takes what AWS takes and its emulator refuses: the rules that a group has just been described with are its rules."""
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
