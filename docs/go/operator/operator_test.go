// Package operator runs as many Pods for each Widget, a custom resource, as that asks for: once with
// client-go alone, and once with controller-runtime.
package operator

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const (
	namespace = "default"
	label     = "of" // of a Pod: the name of its Widget
)

var group = schema.GroupVersion{Group: "example.com", Version: "v1"}

// plan compares what a Widget asks for, which may be gone, with the names of its Pods. The names follow
// from the Widget alone, so that a Pod that the cache does not show yet is not made twice.
func plan(name string, widget *unstructured.Unstructured, there []string) (missing, extra []string) {
	count := int64(0)
	if widget != nil {
		count, _, _ = unstructured.NestedInt64(widget.Object, "spec", "pods")
	}
	for number := int64(1); number <= count; number++ {
		pod := fmt.Sprintf("%s-%d", name, number)
		if i := slices.Index(there, pod); i >= 0 {
			there = slices.Delete(there, i, i+1)
		} else {
			missing = append(missing, pod)
		}
	}
	slices.Sort(there)
	return missing, there
}

func podOf(widget, name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: name, Namespace: namespace, Labels: map[string]string{label: widget}}}
}
