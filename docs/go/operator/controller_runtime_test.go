package operator

import (
	"context"
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.org/watchlab"
)

func TestControllerRuntime(t *testing.T) {
	watchlab.Test(t, watchlab.Options{Scenario: "controller_runtime.yaml"}, func(
		ctx context.Context, cfg *rest.Config, note watchlab.Note) {
		log.SetLogger(logr.Discard())
		again := true // a second life of the process may use the name once more
		manager, err := ctrl.NewManager(cfg, ctrl.Options{
			Metrics:                server.Options{BindAddress: "0"},
			HealthProbeBindAddress: "0",
			Controller:             config.Controller{SkipNameValidation: &again},
		})
		if err == nil {
			err = ctrl.NewControllerManagedBy(manager).For(newWidget()).
				Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(widgetOf)).
				Complete(&reconciler{manager.GetClient(), note})
		}
		for _, kind := range []schema.GroupKind{group.WithKind("Widget").GroupKind(), {Kind: "Pod"}} {
			// What is asked only when they start is asked under a lock.
			if err == nil {
				_, err = manager.GetRESTMapper().RESTMapping(kind)
			}
		}
		if err == nil {
			err = manager.Start(ctx)
		}
		if err != nil {
			note("ended: %v", err)
		}
	})
}

type reconciler struct {
	client.Client
	note watchlab.Note
}

func newWidget() *unstructured.Unstructured {
	widget := &unstructured.Unstructured{}
	widget.SetGroupVersionKind(group.WithKind("Widget"))
	return widget
}

func widgetOf(_ context.Context, pod client.Object) []reconcile.Request {
	name := types.NamespacedName{Namespace: namespace, Name: pod.GetLabels()[label]}
	return []reconcile.Request{{NamespacedName: name}}
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	widget := newWidget()
	if err := r.Get(ctx, request.NamespacedName, widget); client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	} else if err != nil {
		widget = nil
	}
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(namespace),
		client.MatchingLabels{label: request.Name}); err != nil {
		return ctrl.Result{}, err
	}
	var there []string
	for _, pod := range pods.Items {
		there = append(there, pod.Name)
	}
	missing, extra := plan(request.Name, widget, there)
	for _, each := range missing {
		if err := r.Create(ctx, podOf(request.Name, each)); client.IgnoreAlreadyExists(err) != nil {
			return ctrl.Result{}, err
		}
		r.note("made %s", each)
	}
	for _, each := range extra {
		if err := r.Delete(ctx, podOf(request.Name, each)); client.IgnoreNotFound(err) != nil {
			return ctrl.Result{}, err
		}
		r.note("removed %s", each)
	}
	return ctrl.Result{}, nil
}
