// A controller over controller-runtime: a manager whose reconciler reads ConfigMaps from the cache, and whose
// client writes them. With LEADER set it asks for a lease first. tests/clients/drive.py says what it reads and prints.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"sort"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const namespace = "app"

var output sync.Mutex

func say(format string, values ...any) {
	output.Lock()
	defer output.Unlock()
	fmt.Printf(format+"\n", values...)
}

func show(ctx context.Context, reader client.Reader) error {
	var list corev1.ConfigMapList
	if err := reader.List(ctx, &list, client.InNamespace(namespace)); err != nil {
		return err
	}
	var entries []string
	for _, each := range list.Items {
		entries = append(entries, each.Name+"="+each.Data["k"])
	}
	sort.Strings(entries)
	say("store %s", strings.Join(entries, ","))
	return nil
}

func obey(writer client.Client, words []string) error {
	ctx := context.Background()
	object := &corev1.ConfigMap{}
	object.Name, object.Namespace = words[1], namespace
	switch words[0] {
	case "create":
		object.Data = map[string]string{"k": words[2]}
		return writer.Create(ctx, object)
	case "patch":
		patch := fmt.Sprintf(`{"data":{"k":%q}}`, words[2])
		return writer.Patch(ctx, object, client.RawPatch("application/merge-patch+json", []byte(patch)))
	}
	return writer.Delete(ctx, object)
}

func main() {
	log.SetLogger(zap.New(zap.WriteTo(os.Stderr)))
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		panic(err)
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Cache:                   cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		Metrics:                 server.Options{BindAddress: "0"},
		LeaderElection:          os.Getenv("LEADER") != "",
		LeaderElectionID:        "informer",
		LeaderElectionNamespace: namespace,
	})
	if err != nil {
		panic(err)
	}
	err = ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).Complete(reconcile.Func(
		func(ctx context.Context, _ reconcile.Request) (reconcile.Result, error) {
			return reconcile.Result{}, show(ctx, manager.GetClient())
		}))
	if err != nil {
		panic(err)
	}
	go func() {
		commands := bufio.NewScanner(os.Stdin)
		for commands.Scan() {
			if err := obey(manager.GetClient(), strings.Fields(commands.Text())); err != nil {
				say("failed %v", err)
			} else {
				say("done")
			}
		}
		os.Exit(0)
	}()
	if err := manager.Start(context.Background()); err != nil {
		say("failed %v", err)
		os.Exit(1)
	}
}
