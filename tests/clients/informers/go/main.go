// A controller in Go, as far as the test of other clients needs one: a shared informer of client-go on
// ConfigMaps, and a client that writes them. tests/clients/drive.py says what it reads and prints.
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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

const namespace = "app"

var output sync.Mutex

func say(format string, values ...any) {
	output.Lock()
	defer output.Unlock()
	fmt.Printf(format+"\n", values...)
}

func show(store cache.Store) {
	var entries []string
	for _, each := range store.List() {
		object := each.(*corev1.ConfigMap)
		entries = append(entries, object.Name+"="+object.Data["k"])
	}
	sort.Strings(entries)
	say("store %s", strings.Join(entries, ","))
}

func obey(client kubernetes.Interface, words []string) error {
	ctx := context.Background()
	maps := client.CoreV1().ConfigMaps(namespace)
	var err error
	switch words[0] {
	case "create":
		object := &corev1.ConfigMap{Data: map[string]string{"k": words[2]}}
		object.Name = words[1]
		_, err = maps.Create(ctx, object, metav1.CreateOptions{})
	case "patch":
		patch := fmt.Sprintf(`{"data":{"k":%q}}`, words[2])
		_, err = maps.Patch(ctx, words[1], types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	case "delete":
		err = maps.Delete(ctx, words[1], metav1.DeleteOptions{})
	}
	return err
}

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		panic(err)
	}
	client := kubernetes.NewForConfigOrDie(config)
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	informer := factory.Core().V1().ConfigMaps().Informer()
	store := informer.GetStore()
	_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { show(store) },
		UpdateFunc: func(any, any) { show(store) },
		DeleteFunc: func(any) { show(store) },
	})
	if err != nil {
		panic(err)
	}
	go informer.Run(context.Background().Done())
	commands := bufio.NewScanner(os.Stdin)
	for commands.Scan() {
		if err := obey(client, strings.Fields(commands.Text())); err != nil {
			say("failed %v", err)
		} else {
			say("done")
		}
	}
}
