// Microsoft's client for Go against the emulated subscription: it reads, scales and deletes what tpi has made.
// judge ENDPOINT SUBSCRIPTION TOKEN AUTHORITY GROUP
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"net/http"
	"os"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/arm"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/compute/armcompute/v6"
)

type token string

func (t token) GetToken(context.Context, policy.TokenRequestOptions) (azcore.AccessToken, error) {
	return azcore.AccessToken{Token: string(t), ExpiresOn: time.Now().Add(time.Hour)}, nil
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

var patience = &runtime.PollUntilDoneOptions{Frequency: time.Second}

func main() {
	endpoint, subscription, bearer, authority, group := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(must(os.ReadFile(authority)))
	transport := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	azure := cloud.Configuration{Services: map[cloud.ServiceName]cloud.ServiceConfiguration{
		cloud.ResourceManager: {Endpoint: endpoint, Audience: endpoint},
	}}
	options := &arm.ClientOptions{ClientOptions: policy.ClientOptions{Cloud: azure, Transport: transport}, DisableRPRegistration: true}
	made := must(armcompute.NewClientFactory(subscription, token(bearer), options))
	sets, machines, ctx := made.NewVirtualMachineScaleSetsClient(), made.NewVirtualMachinesClient(), context.Background()

	names := func() []string {
		found := []string{}
		for pages := machines.NewListPager(group, nil); pages.More(); {
			for _, one := range must(pages.NextPage(ctx)).Value {
				found = append(found, *one.Name)
			}
		}
		return found
	}
	said := map[string]any{}
	set := must(sets.Get(ctx, group, group, nil)).VirtualMachineScaleSet
	said["set"] = []any{*set.SKU.Capacity, *set.Properties.OrchestrationMode, *set.Properties.VirtualMachineProfile.Priority, *set.Tags["tpi-name"]}
	said["machines"] = len(names())
	more := armcompute.VirtualMachineScaleSetUpdate{SKU: &armcompute.SKU{Name: set.SKU.Name, Tier: set.SKU.Tier, Capacity: to.Ptr(int64(3))}}
	scaled := must(must(sets.BeginUpdate(ctx, group, group, more, nil)).PollUntilDone(ctx, patience))
	said["scaled"] = []any{*scaled.SKU.Capacity, len(names())}
	must(must(machines.BeginDelete(ctx, group, names()[0], nil)).PollUntilDone(ctx, patience))
	said["one less"] = len(names())
	must(must(sets.BeginDelete(ctx, group, group, nil)).PollUntilDone(ctx, patience))
	said["left"] = len(names())
	if err := json.NewEncoder(os.Stdout).Encode(said); err != nil {
		panic(err)
	}
}
