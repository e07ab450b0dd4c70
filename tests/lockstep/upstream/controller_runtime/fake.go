// Package fake stands in the place of sigs.k8s.io/controller-runtime/pkg/client/fake: its clients ask the server
// of the story.
package fake

import (
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"upstream/story"
)

// ClientBuilder builds a real client.
type ClientBuilder struct{ objects []runtime.Object }

func NewClientBuilder() *ClientBuilder { return &ClientBuilder{} }

// WithObjects are what the server has at first.
func (b *ClientBuilder) WithObjects(objects ...client.Object) *ClientBuilder {
	for _, object := range objects {
		b.objects = append(b.objects, object)
	}
	return b
}

// Build builds a client that finds out by itself what the server knows.
func (b *ClientBuilder) Build() client.WithWatch {
	built, err := client.NewWithWatch(story.Config(nil, b.objects...), client.Options{})
	if err != nil {
		panic(err)
	}
	return built
}
