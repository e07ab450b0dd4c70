// Package replicaset runs Kubernetes' own controller of ReplicaSets in a story.
package replicaset

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/pkg/controller/replicaset"

	"example.org/watchlab"
)

func TestReplicaSet(t *testing.T) {
	watchlab.Test(t, watchlab.Options{Scenario: "kubernetes_129795.yaml"}, func(
		ctx context.Context, cfg *rest.Config, note watchlab.Note) {
		cfg.Wrap(func(next http.RoundTripper) http.RoundTripper { return counter{next, note} })
		clients := kubernetes.NewForConfigOrDie(cfg)
		factory := informers.NewSharedInformerFactory(clients, 0)
		controller := replicaset.NewReplicaSetController(ctx, factory.Apps().V1().ReplicaSets(),
			factory.Core().V1().Pods(), clients, replicaset.BurstReplicas)
		factory.Start(ctx.Done())
		controller.Run(ctx, 2)
		factory.Shutdown()
	})
}

// counter notes each pod that is made.
type counter struct {
	http.RoundTripper
	note watchlab.Note
}

func (c counter) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := c.RoundTripper.RoundTrip(request)
	if err == nil && request.Method == http.MethodPost && strings.HasSuffix(request.URL.Path, "/pods") {
		c.note("makes a pod")
	}
	return response, err
}
