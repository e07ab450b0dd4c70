// Package fake stands in the place of the fakes of client-go, k8s.io/client-go/kubernetes/fake and
// k8s.io/client-go/dynamic/fake: its clients ask the server of the story.
package fake

import (
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	clienttesting "k8s.io/client-go/testing"

	"upstream/story"
)

// Clientset is a real one; reactors can see its watches begin, and not answer them.
type Clientset struct {
	kubernetes.Interface
	reactions []clienttesting.WatchReactionFunc
}

func NewClientset(objects ...runtime.Object) *Clientset {
	c := &Clientset{}
	c.Interface = kubernetes.NewForConfigOrDie(story.Config(c.asks, objects...))
	return c
}

func NewSimpleClientset(objects ...runtime.Object) *Clientset { return NewClientset(objects...) }

func (c *Clientset) asks(request *http.Request) {
	if request.URL.Query().Get("watch") == "" {
		return
	}
	action := clienttesting.NewRootWatchAction(schema.GroupVersionResource{}, metav1.ListOptions{})
	for _, reaction := range c.reactions {
		if handled, _, _ := reaction(action); handled {
			return
		}
	}
}

// PrependWatchReactor calls the reaction when a watch begins, of whatever resource.
func (c *Clientset) PrependWatchReactor(_ string, reaction clienttesting.WatchReactionFunc) {
	c.reactions = append([]clienttesting.WatchReactionFunc{reaction}, c.reactions...)
}

// Tracker has nothing to say: the watches are those of the server.
func (c *Clientset) Tracker() Tracker { return Tracker{} }

type Tracker struct{}

func (Tracker) Watch(schema.GroupVersionResource, string, ...metav1.ListOptions) (watch.Interface, error) {
	return watch.NewFake(), nil
}

// FakeDynamicClient is a real one. It has the fake one's name, since tests write down its type.
type FakeDynamicClient struct{ dynamic.Interface }

// NewSimpleDynamicClientWithCustomListKinds has no use for the kinds: the server knows them.
func NewSimpleDynamicClientWithCustomListKinds(
	scheme *runtime.Scheme, _ map[schema.GroupVersionResource]string, objects ...runtime.Object,
) *FakeDynamicClient {
	return NewSimpleDynamicClient(scheme, objects...)
}

func NewSimpleDynamicClient(_ *runtime.Scheme, objects ...runtime.Object) *FakeDynamicClient {
	client, err := dynamic.NewForConfig(story.Config(nil, objects...))
	if err != nil {
		panic(err)
	}
	return &FakeDynamicClient{client}
}
