// Package story plays tests of other modules in stories of watchlab. Such a test makes a fake client; the
// packages beside this one stand in the place of those fakes, and make a client of the story's server.
package story

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"example.org/watchlab"
)

// testVariable names the test that is played.
const testVariable = "WATCHLAB_UPSTREAM"

var (
	given   *rest.Config // that of the story
	created []string     // paths of objects, in the order of their creation
	asked   int          // requests
)

// Play plays one of the tests. It notes that it has passed, and then waits to be killed: a test leaves
// goroutines behind now and then.
func Play(t *testing.T, tests map[string]func(*testing.T)) {
	test := tests[os.Getenv(testVariable)]
	if test == nil {
		t.Fatalf("there is no test %q", os.Getenv(testVariable))
	}
	watchlab.Test(t, watchlab.Options{}, func(ctx context.Context, cfg *rest.Config, note watchlab.Note) {
		given = cfg
		defer func() {
			if t.Failed() {
				os.Exit(1)
			}
		}()
		test(t)
		if asked == 0 {
			t.Error("the test has asked the server for nothing")
		}
		if !t.Failed() {
			note("passed")
			<-ctx.Done()
		}
	})
}

// Config is for a new client, whose server has these objects and no other ones, as that of a new fake client.
// What asks is called before each request.
func Config(asks func(*http.Request), objects ...runtime.Object) *rest.Config {
	empty()
	config := rest.CopyConfig(given)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &transport{next: next, asks: asks} })
	for _, object := range objects {
		create(config, object)
	}
	return config
}

// empty deletes all that was created until now.
func empty() {
	for _, path := range created {
		request, err := http.NewRequest(http.MethodDelete, given.Host+path, nil)
		must(err)
		next, err := rest.TransportFor(given)
		must(err)
		answer, err := next.RoundTrip(request)
		must(err)
		answer.Body.Close()
	}
	created = nil
}

func create(config *rest.Config, object runtime.Object) {
	kinds, _, err := scheme.Scheme.ObjectKinds(object)
	if kind := object.GetObjectKind().GroupVersionKind(); !kind.Empty() {
		kinds, err = append(kinds[:0], kind), nil
	}
	must(err)
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	must(err)
	body := &unstructured.Unstructured{Object: content}
	body.SetGroupVersionKind(kinds[0])
	client, err := dynamic.NewForConfig(config)
	must(err)
	resource, _ := meta.UnsafeGuessKindToResource(kinds[0])
	_, err = client.Resource(resource).Namespace(body.GetNamespace()).Create(
		context.Background(), body, metav1.CreateOptions{})
	must(err)
}

// transport remembers what is created.
type transport struct {
	next http.RoundTripper
	asks func(*http.Request)
}

func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	asked++
	if t.asks != nil {
		t.asks(request)
	}
	answer, err := t.next.RoundTrip(request)
	if err != nil || answer.StatusCode != http.StatusCreated {
		return answer, err
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	answer.Body = io.NopCloser(bytes.NewReader(text))
	var object metav1.PartialObjectMetadata
	if err == nil {
		err = json.Unmarshal(text, &object)
	}
	path := request.URL.Path
	if request.Method == http.MethodPost {
		path += "/" + object.Name
	}
	created = append(created, path)
	return answer, err
}

func must(err error) {
	if err != nil {
		panic(fmt.Errorf("the client of the story: %w", err))
	}
}
