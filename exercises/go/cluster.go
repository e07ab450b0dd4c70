// Package cluster is what the controllers of the exercises work with: clients and informers of
// client-go, for ConfigMaps and Pods of the namespace "default".
package cluster

import (
	"context"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/gentype"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// Namespace is the one that the controllers look at.
const Namespace = "default"

// Controllers are those of one program, by the names under which it is started.
var Controllers = map[string]func(context.Context, *Cluster) error{}

// Cluster has a client for each kind.
type Cluster struct {
	ConfigMaps *gentype.ClientWithList[*corev1.ConfigMap, *corev1.ConfigMapList]
	Pods       *gentype.ClientWithList[*corev1.Pod, *corev1.PodList]
}

// Lists are LISTs, as a story names them, and no streams.
func init() { os.Setenv("KUBE_FEATURE_WatchListClient", "false") }

// Connect makes the clients. kubernetes.NewForConfig would do, and would bring all kinds there are.
func Connect(cfg *rest.Config) (*Cluster, error) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	metav1.AddToGroupVersion(scheme, corev1.SchemeGroupVersion)
	own := rest.CopyConfig(cfg)
	own.APIPath = "/api"
	own.GroupVersion = &corev1.SchemeGroupVersion
	own.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	client, err := rest.RESTClientFor(own)
	if err != nil {
		return nil, err
	}
	parameters := runtime.NewParameterCodec(scheme)
	return &Cluster{
		ConfigMaps: gentype.NewClientWithList[*corev1.ConfigMap, *corev1.ConfigMapList]("configmaps", client, parameters,
			Namespace, func() *corev1.ConfigMap { return &corev1.ConfigMap{} },
			func() *corev1.ConfigMapList { return &corev1.ConfigMapList{} }),
		Pods: gentype.NewClientWithList[*corev1.Pod, *corev1.PodList]("pods", client, parameters,
			Namespace, func() *corev1.Pod { return &corev1.Pod{} },
			func() *corev1.PodList { return &corev1.PodList{} }),
	}, nil
}

// ConfigMapInformer keeps a cache of all ConfigMaps; it is to be run.
func (c *Cluster) ConfigMapInformer() cache.SharedIndexInformer {
	return cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return c.ConfigMaps.List(ctx, options)
		},
		WatchFuncWithContext: c.ConfigMaps.Watch,
	}, &corev1.ConfigMap{}, 0, cache.Indexers{})
}

// PodInformer does the same for Pods.
func (c *Cluster) PodInformer() cache.SharedIndexInformer {
	return cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return c.Pods.List(ctx, options)
		},
		WatchFuncWithContext: c.Pods.Watch,
	}, &corev1.Pod{}, 0, cache.Indexers{})
}

// Sleep waits for a second, or for the end of ctx.
func Sleep(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Second):
	}
}
