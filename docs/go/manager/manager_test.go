// A manager of controller-runtime, unmodified, in a story of watchlab.
package manager

import (
	"context"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"example.org/watchlab"
)

func TestManager(t *testing.T) {
	watchlab.Test(t, watchlab.Options{Scenario: "manager.yaml"}, func(
		ctx context.Context, cfg *rest.Config, note watchlab.Note) {
		run(ctx, cfg, note, false)
	})
}

func TestElected(t *testing.T) {
	watchlab.Test(t, watchlab.Options{Scenario: "elected.yaml"}, func(
		ctx context.Context, cfg *rest.Config, note watchlab.Note) {
		run(ctx, cfg, note, true)
	})
}

// echo copies each ConfigMap's wish into its echo.
type echo struct {
	client.Client
	note watchlab.Note
}

func (e *echo) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var object corev1.ConfigMap
	if err := e.Get(ctx, request.NamespacedName, &object); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if object.Data["echo"] != object.Data["wish"] {
		object.Data["echo"] = object.Data["wish"]
		if err := e.Update(ctx, &object); err != nil {
			return ctrl.Result{}, err
		}
		e.note("echoed %s of %s", object.Data["wish"], request.Name)
	}
	return ctrl.Result{RequeueAfter: 10 * time.Minute}, nil
}

func run(ctx context.Context, cfg *rest.Config, note watchlab.Note, elects bool) {
	log.SetLogger(logr.Discard())
	again := true // a second life of the process may use the name once more
	manager, err := ctrl.NewManager(cfg, ctrl.Options{
		Metrics:                       server.Options{BindAddress: "0"},
		HealthProbeBindAddress:        "0",
		LeaderElection:                elects,
		LeaderElectionID:              "echo",
		LeaderElectionNamespace:       "default",
		LeaderElectionReleaseOnCancel: true,
		Controller:                    config.Controller{SkipNameValidation: &again},
	})
	if err == nil {
		err = ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).
			Complete(&echo{manager.GetClient(), note})
	}
	if err == nil {
		err = manager.Start(ctx)
	}
	if err != nil {
		note("ended: %v", err)
	}
}
