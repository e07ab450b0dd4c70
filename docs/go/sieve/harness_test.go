// Package sieve has operators with bugs that Sieve (OSDI 2022) found: they react wrongly to states that are stale, half
// done or never seen. Each is written from scratch after the published bug. With MENDED=yes, they run without the bug.
package sieve

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.org/watchlab"
)

// What each story calls its custom resource and the objects that belong to it.
const (
	namespace = "default"
	name      = "db"
	pause     = 10 * time.Second // until an operator looks again without an event
)

var isMended = os.Getenv("MENDED") == "yes"

// operator watches a custom resource of this kind, and the objects that it creates.
type operator struct {
	group, kind string
	makes       []client.Object
	reconcile   func(ctx context.Context, l *life, cr *unstructured.Unstructured) error
}

// life is the state of an operator from its start to its crash. Reads come from the cache, as in all operators, but it
// can also ask the server directly.
type life struct {
	client.Client
	server client.Reader
}

// TestOperators plays the story of the operator that -run names.
func TestOperators(t *testing.T) {
	for story, o := range operators {
		t.Run(story, func(t *testing.T) {
			watchlab.Test(t, watchlab.Options{Scenario: story + ".yaml"}, o.run)
		})
	}
}

// run runs the operator until one of its connections breaks, as if the node of both failed. A second later the operator
// restarts, and knows only what the server tells it.
func (o operator) run(ctx context.Context, cfg *rest.Config, note watchlab.Note) {
	log.SetLogger(logr.Discard())
	node := &node{}
	cfg.Wrap(func(next http.RoundTripper) http.RoundTripper {
		node.next = next
		return node
	})
	go statefulSets(ctx, cfg)
	for ctx.Err() == nil {
		alive, die := context.WithCancel(ctx)
		node.die = die
		if err := o.live(alive, cfg); err != nil && alive.Err() == nil {
			note("ended: %v", err)
		}
		die()
		if ctx.Err() == nil {
			note("died")
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
}

func (o operator) live(ctx context.Context, cfg *rest.Config) error {
	again := true
	manager, err := ctrl.NewManager(cfg, ctrl.Options{
		Metrics:                server.Options{BindAddress: "0"},
		HealthProbeBindAddress: "0",
		Controller:             config.Controller{SkipNameValidation: &again},
		Client:                 client.Options{Cache: &client.CacheOptions{Unstructured: true}},
		Cache:                  cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) {
			return o.kinds(), nil
		},
	})
	if err != nil {
		return err
	}
	l := &life{manager.GetClient(), manager.GetAPIReader()}
	builder := ctrl.NewControllerManagedBy(manager).For(o.resource())
	for _, each := range o.makes {
		builder = builder.Watches(each, handler.EnqueueRequestsFromMapFunc(
			func(context.Context, client.Object) []reconcile.Request {
				return []reconcile.Request{{NamespacedName: key(name)}}
			}))
	}
	err = builder.Complete(reconcile.Func(func(ctx context.Context, _ reconcile.Request) (reconcile.Result, error) {
		cr := o.resource()
		if err := l.Get(ctx, key(name), cr); err != nil {
			return reconcile.Result{}, client.IgnoreNotFound(err)
		}
		return reconcile.Result{RequeueAfter: pause}, o.reconcile(ctx, l, cr)
	}))
	if err != nil {
		return err
	}
	return manager.Start(ctx)
}

func (o operator) resource() *unstructured.Unstructured { return object(o.group, o.kind, name) }

// kinds maps kinds to their plural names without asking a server.
func (o operator) kinds() meta.RESTMapper {
	mapper := meta.NewDefaultRESTMapper(nil)
	for kind := range scheme.Scheme.AllKnownTypes() {
		mapper.Add(kind, meta.RESTScopeNamespace)
	}
	for _, each := range append([]client.Object{o.resource()}, o.makes...) {
		if u, ok := each.(*unstructured.Unstructured); ok {
			mapper.Add(u.GroupVersionKind(), meta.RESTScopeNamespace)
		}
	}
	return mapper
}

// node holds the connections of an operator, which crashes with them.
type node struct {
	next http.RoundTripper
	die  context.CancelFunc
}

func (n *node) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := n.next.RoundTrip(request)
	if err != nil {
		n.broken(request.Context(), err)
		return nil, err
	}
	response.Body = &body{response.Body, func(err error) { n.broken(request.Context(), err) }}
	return response, nil
}

func (n *node) broken(ctx context.Context, err error) {
	if ctx.Err() == nil && (strings.Contains(err.Error(), "reset") || strings.Contains(err.Error(), "unexpected EOF")) {
		n.die()
	}
}

func key(name string) types.NamespacedName {
	return types.NamespacedName{Namespace: namespace, Name: name}
}

func object(group, kind, name string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind})
	u.SetNamespace(namespace)
	u.SetName(name)
	return u
}

func called(name string, owner *unstructured.Unstructured) metav1.ObjectMeta {
	m := metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: map[string]string{"app": owner.GetName()}}
	m.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, owner.GroupVersionKind())}
	return m
}

// number, text and is read a field of the custom resource; a missing one is 0, empty or false.
func number(cr *unstructured.Unstructured, path ...string) int32 {
	value, _, _ := unstructured.NestedInt64(cr.Object, path...)
	return int32(value)
}

func text(cr *unstructured.Unstructured, path ...string) string {
	value, _, _ := unstructured.NestedString(cr.Object, path...)
	return value
}

func is(cr *unstructured.Unstructured, path ...string) bool {
	value, _, _ := unstructured.NestedBool(cr.Object, path...)
	return value
}

// ensure creates what the cache does not show.
func (l *life) ensure(ctx context.Context, wanted client.Object) error {
	there := wanted.DeepCopyObject().(client.Object)
	err := l.Get(ctx, client.ObjectKeyFromObject(wanted), there)
	if apierrors.IsNotFound(err) {
		return l.Create(ctx, wanted)
	}
	return err
}

// isOld is the fix for most of them: before they delete anything, they ask the server whether their custom resource is
// still the current one. The operators as published do not ask.
func (l *life) isOld(ctx context.Context, cr *unstructured.Unstructured) (bool, error) {
	if !isMended {
		return false, nil
	}
	now := cr.DeepCopy()
	if err := l.server.Get(ctx, key(name), now); err != nil {
		return true, client.IgnoreNotFound(err)
	}
	return now.GetUID() != cr.GetUID() || now.GetGeneration() != cr.GetGeneration(), nil
}

func (l *life) claims(ctx context.Context) ([]corev1.PersistentVolumeClaim, error) {
	var claims corev1.PersistentVolumeClaimList
	err := l.List(ctx, &claims, client.InNamespace(namespace), client.MatchingLabels{"app": name})
	return claims.Items, err
}

// note records in the status what an operator is doing, and with which pod.
func (l *life) note(ctx context.Context, cr *unstructured.Unstructured, operation, pod string) error {
	changed := cr.DeepCopy()
	_ = unstructured.SetNestedField(changed.Object, operation, "status", "operation")
	_ = unstructured.SetNestedField(changed.Object, pod, "status", "pod")
	return l.Status().Update(ctx, changed)
}

func podOf(set *appsv1.StatefulSet, number int32) string {
	return fmt.Sprintf("%s-%d", set.Name, number)
}
