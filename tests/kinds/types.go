// types: writes what Go's types of a release say of each kind and its fields, as lines of text.
package main

import (
	"bufio"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	aggregation "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

var out = bufio.NewWriter(os.Stdout)
var seen = map[reflect.Type]bool{}
var waiting []reflect.Type

// nameOf is as in "apps/v1.DeploymentSpec".
func nameOf(t reflect.Type) string {
	path := strings.Split(t.PkgPath(), "/")
	if len(path) < 2 {
		return t.Name()
	}
	return strings.Join(path[len(path)-2:], "/") + "." + t.Name()
}

func word(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Ptr:
		return "*" + word(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		if t.Name() != "" && t.PkgPath() != "" { // a message of its own: ExtraValue, Verbs
			return "items"
		}
		return "[]" + word(t.Elem())
	case reflect.Map:
		return "{}" + word(t.Elem())
	case reflect.Struct:
		if !seen[t] {
			seen[t] = true
			waiting = append(waiting, t)
		}
		return nameOf(t)
	}
	return t.Kind().String()
}

func describe(t reflect.Type) {
	fmt.Fprintf(out, "M %s\n", nameOf(t))
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		j, p := f.Tag.Get("json"), f.Tag.Get("protobuf")
		parts := strings.Split(j, ",")
		if f.PkgPath != "" || f.Type.Name() == "TypeMeta" || j == "-" {
			continue
		}
		number := "0"
		if p != "" && p != "-" {
			number = strings.Split(p, ",")[1]
		}
		fmt.Fprintf(out, "F %s %s %s %s %s %s\n", orDash(parts[0]), number, word(f.Type),
			orDash(strings.Join(parts[1:], ",")), orDash(f.Tag.Get("patchStrategy")), orDash(f.Tag.Get("patchMergeKey")))
	}
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func add(s *runtime.Scheme) {
	known := s.AllKnownTypes()
	var kinds []string
	types := map[string]reflect.Type{}
	for gvk, t := range known {
		if gvk.Version == runtime.APIVersionInternal {
			continue
		}
		key := orDash(gvk.Group) + " " + gvk.Version + " " + gvk.Kind
		kinds = append(kinds, key)
		types[key] = t
	}
	sort.Strings(kinds)
	for _, key := range kinds {
		fmt.Fprintf(out, "K %s %s\n", key, word(types[key]))
	}
}

func main() {
	apiextensions.AddToScheme(scheme.Scheme)
	aggregation.AddToScheme(scheme.Scheme)
	metav1.AddMetaToScheme(scheme.Scheme)
	add(scheme.Scheme)
	for len(waiting) > 0 {
		t := waiting[0]
		waiting = waiting[1:]
		describe(t)
	}
	out.Flush()
}
