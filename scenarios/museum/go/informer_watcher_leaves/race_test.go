// Order: 580
// Bug: G9
// Needs: S
// Fails: leak: goroutines remain
// Upstream: client-go 0.37.2, tools/watch/informerwatcher.go; found by exploring it, and live
// Live: yes

package museum

import (
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	watchtools "k8s.io/client-go/tools/watch"

	watchlab "example.org/watchlab/goroutines"
)

// twoPods lists two Pods, and its watch says nothing.
type twoPods struct{}

func (twoPods) IsWatchListSemanticsUnSupported() bool { return true }

func (twoPods) List(metav1.ListOptions) (runtime.Object, error) {
	list := &v1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}}
	for _, name := range []string{"db", "web"} {
		meta := metav1.ObjectMeta{Name: name, Namespace: "demo", ResourceVersion: "1"}
		list.Items = append(list.Items, v1.Pod{ObjectMeta: meta})
	}
	return list, nil
}

func (twoPods) Watch(metav1.ListOptions) (watch.Interface, error) { return watch.NewFake(), nil }

// A watch that is made of an informer is read, and stopped.
func TestBroken(t *testing.T) {
	watchlab.Explore(t, func(t *testing.T) {
		_, _, w, done := watchtools.NewIndexerInformerWatcher(twoPods{}, &v1.Pod{})
		<-w.ResultChan()
		<-w.ResultChan()
		w.Stop()
		<-done
	}, watchlab.Options{})
}
