package cluster_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/client-go/rest"

	cluster "controllers"
	"example.org/watchlab"
)

// TestController is the program of a story's client: it runs the controller whose name it was
// started by.
func TestController(t *testing.T) {
	name := filepath.Base(os.Args[0])
	run, known := cluster.Controllers[name]
	if !known {
		t.Fatalf("there is no controller %s", name)
	}
	watchlab.Test(t, watchlab.Options{}, func(ctx context.Context, cfg *rest.Config, note watchlab.Note) {
		connected, err := cluster.Connect(cfg)
		if err == nil {
			err = run(ctx, connected)
		}
		if err != nil {
			note("the controller has failed: %v", err)
		}
	})
}
