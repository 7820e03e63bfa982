"""Microsoft's clients for Python, as the judges share them. The first arguments of each judge: ENDPOINT SUBSCRIPTION TOKEN AUTHORITY"""
import sys
import time

from azure.core.credentials import AccessToken, AccessTokenInfo
from azure.core.exceptions import HttpResponseError
from azure.mgmt.compute import ComputeManagementClient
from azure.mgmt.monitor import MonitorManagementClient
from azure.mgmt.network import NetworkManagementClient
from azure.mgmt.resource.resources import ResourceManagementClient

endpoint, subscription, token, authority = sys.argv[1:5]


class Token:
    def get_token(self, *scopes, **more):
        return AccessToken(token, int(time.time()) + 3600)

    def get_token_info(self, *scopes, **more):
        return AccessTokenInfo(token, int(time.time()) + 3600)


def client(kind):
    return kind(Token(), subscription, base_url=endpoint, credential_scopes=[endpoint + "/.default"], connection_verify=authority, polling_interval=0.1)


def refused(act):
    try:
        act()
    except HttpResponseError as error:
        return error.error.code if error.error else error.status_code
    return None


def done(poller):
    return poller.result(timeout=30)


resources = client(ResourceManagementClient)
network = client(NetworkManagementClient)
compute = client(ComputeManagementClient)
monitor = client(MonitorManagementClient)
