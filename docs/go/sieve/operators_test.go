package sieve

import (
	"context"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// operators are named after their stories, which name the sources. Behaviour that several share is one function.
var operators = map[string]operator{
	// Half done: the operator crashes between two of its writes.
	"cass_operator_1023": {cassandra, "CassandraDatacenter", secrets, inPairs("db-ca-keystore", "db-keystore")},
	"mongodb_578":        {percona, "PerconaServerMongoDB", secrets, inPairs("db-ssl", "db-ssl-internal")},
	"mongodb_579":        {percona, "PerconaServerMongoDB", certificates, byCertManager},
	"xtradb_896":         {percona, "PerconaXtraDBCluster", secrets, inPairs("db-ssl", "db-ssl-internal")},
	"xtradb_897":         {percona, "PerconaXtraDBCluster", certificates, byCertManager},
	"rabbitmq_782":       {"rabbitmq.com", "RabbitmqCluster", members, largerClaims},
	"casskop_370":        {"db.orange.com", "CassandraCluster", members, decommission},
	"nifikop_49":         {"nifi.orange.com", "NifiCluster", withSecrets, newConfiguration},

	// Stale: the operator restarts against a server that is behind.
	"cass_operator_559": {cassandra, "CassandraDatacenter", members, claimsOfTheDeleted},
	"cassandra_402":     {cassandra, "CassandraDataCenter", members, claimsOfTheDeleted},
	"casskop_316":       {"db.orange.com", "CassandraCluster", members, claimsOfTheDeleted},
	"mongodb_430":       {percona, "PerconaServerMongoDB", members, claimsOfTheDeleted},
	"xtradb_716":        {percona, "PerconaXtraDBCluster", members, claimsOfTheDeleted},
	"zookeeper_312":     {"zookeeper.pravega.io", "ZookeeperCluster", members, claimsOfTheDeleted},
	"rabbitmq_648":      {"rabbitmq.com", "RabbitmqCluster", members, setOfTheDeleted},
	"mongodb_433":       {percona, "PerconaServerMongoDB", members, onlyIfEnabled("sharding", aSet("db-cfg"), aSet("db-mongos"))},
	"mongodb_438":       {percona, "PerconaServerMongoDB", members, onlyIfEnabled("arbiter", aSet("db-rs0-arbiter"))},
	"xtradb_725":        {percona, "PerconaXtraDBCluster", members, onlyIfEnabled("haproxy", aSet("db-haproxy"))},
	"xtradb_763":        {percona, "PerconaXtraDBCluster", members, onlyIfEnabled("proxysql", aSet("db-proxysql"))},
	"yugabyte_35":       {yugabyte, "YBCluster", withSecrets, onlyIfEnabled("tls", aSecret("yb-master-tls-cert"), aSecret("yb-tserver-tls-cert"))},
	"yugabyte_36":       {yugabyte, "YBCluster", services, onlyIfEnabled("tserverUI", aService("yb-tserver-ui"))},
	"casskop_321":       {"db.orange.com", "CassandraCluster", budgets, anotherBudget},
	"rabbitmq_653":      {"rabbitmq.com", "RabbitmqCluster", members, largerClaims},
	"zookeeper_314":     {"zookeeper.pravega.io", "ZookeeperCluster", members, claimsBeyond},
	"cassandra_407":     {cassandra, "CassandraDataCenter", members, claimsOfPodsThatGo},

	// Never seen: what the operator waits for happens while it isn't looking.
	"cassandra_398": {cassandra, "CassandraDataCenter", members, claimsOfPodsThatGo},
	"cassandra_410": {cassandra, "CassandraDataCenter", members, decommissionFirst},
}

const (
	cassandra = "cassandra.example.com"
	percona   = "psmdb.percona.com"
	yugabyte  = "yugabyte.com"
)

// What operators watch beside their custom resource.
var (
	members      = []client.Object{&appsv1.StatefulSet{}, &corev1.PersistentVolumeClaim{}, &corev1.Pod{}}
	secrets      = []client.Object{&corev1.Secret{}}
	withSecrets  = append([]client.Object{&corev1.Secret{}}, members...)
	certificates = append([]client.Object{object("cert-manager.io", "Certificate", "")}, secrets...)
	services     = []client.Object{&corev1.Service{}}
	budgets      = []client.Object{&policyv1.PodDisruptionBudget{}}
)

// making describes one of an operator's objects.
type making func(owner *unstructured.Unstructured) client.Object

func aSet(name string) making {
	return func(owner *unstructured.Unstructured) client.Object { return set(name, owner, 1) }
}

func aSecret(name string) making {
	return func(owner *unstructured.Unstructured) client.Object {
		return &corev1.Secret{ObjectMeta: called(name, owner)}
	}
}

func aService(name string) making {
	return func(owner *unstructured.Unstructured) client.Object {
		return &corev1.Service{ObjectMeta: called(name, owner), Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 9000}}}}
	}
}

// set is a StatefulSet with that many members, each with a claim data-NAME-NUMBER.
func set(name string, owner *unstructured.Unstructured, replicas int32) *appsv1.StatefulSet {
	labels := map[string]string{"app": name}
	return &appsv1.StatefulSet{
		ObjectMeta: called(name, owner),
		Spec: appsv1.StatefulSetSpec{
			Replicas:             &replicas,
			ServiceName:          name,
			Selector:             &metav1.LabelSelector{MatchLabels: labels},
			Template:             corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}},
			VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data", Labels: labels}}},
		},
	}
}

// scale brings the set that the cache shows to the wanted size, or creates one.
func (l *life) scale(ctx context.Context, wanted *appsv1.StatefulSet) error {
	there := &appsv1.StatefulSet{}
	if err := l.Get(ctx, client.ObjectKeyFromObject(wanted), there); apierrors.IsNotFound(err) {
		return l.Create(ctx, wanted)
	} else if err != nil || *there.Spec.Replicas == *wanted.Spec.Replicas {
		return err
	}
	there.Spec.Replicas = wanted.Spec.Replicas
	return l.Update(ctx, there)
}

// finalize adds a finalizer to a live custom resource, and removes it from a deleted one after the cleanup.
func (l *life) finalize(ctx context.Context, cr *unstructured.Unstructured, cleanup func() error) error {
	has, isDeleted := slices.Contains(cr.GetFinalizers(), "example.com/cleanup"), cr.GetDeletionTimestamp() != nil
	if has != isDeleted {
		return nil
	}
	changed := cr.DeepCopy()
	if isDeleted {
		if old, err := l.isOld(ctx, cr); old || err != nil {
			return err
		}
		if err := cleanup(); err != nil {
			return err
		}
		changed.SetFinalizers(nil)
	} else {
		changed.SetFinalizers([]string{"example.com/cleanup"})
	}
	return client.IgnoreNotFound(l.Update(ctx, changed))
}

// remove deletes by name. The fixed one deletes only the object that the operator has seen.
func (l *life) remove(ctx context.Context, object client.Object, options ...client.DeleteOption) error {
	if uid := object.GetUID(); isMended && uid != "" {
		options = append(options, client.Preconditions{UID: &uid})
	}
	err := l.Delete(ctx, object, options...)
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil
	}
	return err
}
