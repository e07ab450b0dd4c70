// Copies each ConfigMap of the namespace default that has the label copy=yes, with an informer of client-go.
package main

import (
	"context"
	"log"
	"os"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		log.Fatal(err)
	}
	client := kubernetes.NewForConfigOrDie(config)
	copies := func(object any) {
		source := object.(*corev1.ConfigMap)
		made := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: source.Name + "-copy"}, Data: source.Data}
		_, err := client.CoreV1().ConfigMaps("default").Create(context.Background(), made, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			log.Print(err)
		}
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace("default"),
		informers.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = "copy=yes" }))
	_, err = factory.Core().V1().ConfigMaps().Informer().AddEventHandler(
		cache.ResourceEventHandlerFuncs{AddFunc: copies})
	if err != nil {
		log.Fatal(err)
	}
	factory.Start(context.Background().Done())
	select {}
}
