#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "tests/scenarios/language/told_story.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;
using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(script_meaning_test)

namespace {

const std::string kInformer = "clients: [{name: seer, kind: informer}]\n";
const std::string kOutsider = "clients: [{name: out, kind: external}]\n";
const std::string kController =
    "server: {objects: [{name: web, data: {replicas: \"2\"}}]}\n"
    "clients: [{name: rs, kind: controller, reconcile: replicas_with_expectations}]\n";

struct Refusal {
  std::string lines;
  std::string begins;  ///< the one problem, from its place on
};
std::ostream& operator<<(std::ostream& out, const Refusal& each) { return out << each.lines; }

const std::vector<Refusal> refusals{
    {kInformer + "script: [{when: {popped: {count: 1, of: raw}}, create: a}]\n",
     "f:5:41: unknown client 'raw'"},
    {"clients: [{name: raw, kind: shared}]\nscript: [{when: {popped: {count: 1}}, create: a}]\n",
     "f:5:17: waiting for 1 deltas, which can never come: 'raw' is a shared"},
    {"clients: [{name: raw, kind: program}]\nscript: [{when: {handled: {count: 1}}, create: a}]\n",
     "f:5:17: waiting for 1 handler calls, which can never come: 'raw' is a program"},
    {kInformer + "script: [{when: {ended: seer}, create: a}]\n",
     "f:5:17: waiting for the end of seer, which can never come"},
    {kInformer + "until: {requested: {verb: CREATE, count: 1}}\n",
     "f:5:8: waiting for 1 CREATE requests, which can never come: 'seer' never sends a CREATE"},
    {kController + "script: [{when: {requested: {verb: DELETE, count: 1}}, delete: web}]\n",
     "f:6:17: waiting for 1 DELETE requests, which can never come: 'rs' never sends a DELETE"},
    {"clients: [{name: late, kind: informer, starts: later}]\n"
     "script: [{when: {watching: late}, create: a}, {start: late}]\n",
     "f:5:17: waiting for an open watch of late, which can never come: 'late' is not started"},
    {kInformer + "script: [{at: 5s, start: seer}]\n", "f:5:26: a start of 'seer', which runs"},
    {"clients: [{name: late, kind: informer, starts: later}]\n"
     "script:\n  - start: late\n  - after: 5s\n    atomic:\n      - create: a\n"
     "      - start: late\n",
     "f:10:16: a start of 'late', which runs already; expected one start"},
    {kInformer + "script: [{create: my_object}]\n",
     "f:5:19: 'my_object' is not a valid name of a ConfigMap; expected a lowercase RFC 1123 "
     "subdomain: letters, digits, '-' and '.', with a letter or a digit at both ends; did you mean "
     "\"my-object\"?"},
    {kInformer + "script: [{create: {name: a.b, kind: Namespace}}]\n",
     "f:5:26: 'a.b' is not a valid name of a Namespace; expected a lowercase RFC 1123 label: "
     "letters, digits and '-', with a letter or a digit at both ends; did you mean \"a-b\"?"},
    {kInformer + "script: [{apply: {name: a.b, kind: Service}}]\n",
     "f:5:25: 'a.b' is not a valid name of a Service; expected a lowercase RFC 1035 label: "},
    {"server: {objects: [{name: 1a, kind: Service}]}\n" + kInformer,
     "f:4:27: '1a' is not a valid name of a Service; expected a lowercase RFC 1035 label: "},
    {"server: {namespaces: [prod, a.b]}\n" + kInformer,
     "f:4:29: 'a.b' is not a valid name of a Namespace; expected a lowercase RFC 1123 label: "},
    {kInformer + "script: [{create: {name: " + std::string(64, 'n') + ", kind: Namespace}}]\n",
     "f:5:26: '" + std::string(40, 'n') +
         "…' (64 characters) is not a valid name of a Namespace; expected no more than 63 "
         "characters\n"},
    {kInformer + "script: [{create: " + std::string(254, 'n') + "}]\n",
     "f:5:19: '" + std::string(40, 'n') +
         "…' (254 characters) is not a valid name of a ConfigMap; expected no more than 253 "
         "characters\n"},
    {"server: {objects: [Web]}\n" + kInformer, "f:4:20: 'Web' is not a valid name of a ConfigMap"},
    {"server: {objects: [{name: web, labels: {app: a b}}]}\n" + kInformer,
     "f:4:46: 'a b' is not a valid label value"},
    {"server: {objects: [{name: web, labels: {a b: c}}]}\n" + kInformer,
     "f:4:41: 'a b' is not a valid label key"},
    {"server: {objects: [{name: web, finalizers: [keep]}]}\n" + kInformer,
     "f:4:45: 'keep' is not a valid finalizer"},
    {"server: {objects: [{name: web, data: {a/b: c}}]}\n" + kInformer,
     "f:4:39: 'a/b' is not a valid data key"},
    {"server: {objects: [demo, demo]}\n" + kInformer, "f:4:26: a second 'demo'"},
    {"server: {objects: [{name: a, finalizers: [e.com/x]}]}\n" + kInformer +
         "script: [{delete: a}, {create: a}]\n",
     "f:6:32: a create of 'a', which its finalizer keeps after the delete; expected an update "
     "before it that leaves the finalizer out, or another name"},
    {"server: {objects: [{name: a, finalizers: [e.com/x]}]}\n" + kInformer +
         "script: [{delete: a}, {update: {name: a, finalizers: [e.com/x, e.com/y]}}]\n",
     "f:6:54: the new finalizer 'e.com/y' of 'a', which is being deleted; expected finalizers that "
     "it had before the delete"},
    {"server: {namespaces: [a, a]}\n" + kInformer, "f:4:26: a second namespace 'a'; expected each"},
    {"server: {objects: [a]}\n" + kInformer +
         "script: [{patch: {name: a, merge: {metadata: {labels: {x y: z}}}}}]\n",
     "f:6:56: 'x y' is not a valid label key"},
    {"clients: [{name: seer, kind: informer, makes: [x]}]\n",
     "f:4:40: makes of an informer, which writes nothing; expected makes only of a controller, a "
     "Go program or an external client"},
    {"clients: [{name: seer, kind: informer, reconcile: observe}]\n",
     "f:4:40: work of a client that has no workers; expected reconcile, workers, takes and"},
    {"clients: [{name: op, kind: go, run: []}]\n",
     "f:4:37: an empty list where a list of words belongs; expected at least one entry"},
    {"clients: [{name: op, kind: go, run: ls -l}]\n",
     "f:4:37: 'ls -l' where a list of words belongs; expected a list, as in [ls, -l]"},
    {kInformer + "until: [quiet, 90s]\n", "f:5:8: a list where "},
    {"server: {objects: [demo]}\n" + kInformer + "script: [{delete: demo}, {delete: demo}]\n",
     "f:6:35: 'demo' is not there at this step"},
    {kInformer + "script:\n  - at: 5s\n    atomic:\n      - create: web\n      - fault:\n"
                 "          lag_server:\n            by: 1s\n            server: 3\n",
     "f:12:21: the fault 'lag_server' of server 3"},
    {kInformer + "script:\n  - at: 5s\n    create:\n      name: web\n      kind: Node\n"
                 "      namespace: other\n",
     "f:10:18: a namespace of the Node 'web'"},
    {kInformer + "script: [{stop: seer}, {when: {watching: seer}, create: a}]\n",
     "f:5:31: waiting for an open watch of seer, which can never come: 'seer' was stopped before; "
     "expected the condition before the stop"},
    {kInformer + "script: [{at: 1s, stop: seer}]\nuntil: {watching: seer}\n",
     "f:6:8: waiting for an open watch of seer, which can never come: 'seer' was stopped"},
    {kInformer + "script: [{fault: {drop_event: {as: x}}}, {fault: {delay: {by: 1s, as: x}}}]\n",
     "f:5:71: the name 'x', which the fault at 5:36 still has; expected another name, "
     "or 'heal: x' before it\n"},
    {kInformer + "script: [{fault: {drop_event: {as: delay}}}, {fault: {delay: {by: 1s}}}]\n",
     "f:5:54: the name 'delay', which the fault at 5:36 still has"},
    {kInformer +
         "script: [{atomic: [{fault: {drop_event: {as: x, times: 1}}}, {fault: {empty_event: {as: "
         "x}}}]}]\n",
     "f:5:89: the name 'x', which the fault at 5:46 still has"},
    {kInformer + "script: [{create: {name: a, uid_as: mine}}]\n"
                 "expect: [{objects: {exactly: [{name: a, rv: $mine}]}}]\n",
     "f:6:45: '$mine', a uid, where a revision belongs; expected '$' and a name defined by "
     "rv_as\n"},
    {"server: {rv_as: born, objects: [{name: a, uid_as: mine}]}\n" + kInformer +
         "expect: [{objects: {exactly: [{name: a, uid: $born}]}}]\n",
     "f:6:46: '$born', a revision, where a uid belongs; expected '$' and a name defined by "
     "uid_as; did you mean \"$mine\"?"},
    {"server: {objects: [{name: p, kind: Pod, body: {spec: {containres: []}}}]}\n" + kInformer,
     "f:4:67: 'spec.containres', which a Pod does not have; expected one of its fields; did you "
     "mean \"containers\"?"},
    {kInformer + "script: [{create: {name: p, kind: Pod, body: {spec: {containers: [{name: c, "
                 "imagee: a}]}}}}]\n",
     "f:5:85: 'spec.containers[0].imagee', which a Pod does not have; expected one of its "
     "fields; did you mean \"image\"?"},
    {"server: {objects: [{name: d, kind: Deployment}]}\n" + kInformer +
         "script: [{patch: {name: d, kind: Deployment, merge: {spec: {replica: 2}}}}]\n",
     "f:6:70: 'spec.replica', which a Deployment does not have; expected one of its fields; did "
     "you mean \"replicas\"?"},
    {"server: {objects: [{name: d, kind: Deployment}]}\n" + kInformer +
         "script: [{patch: {name: d, kind: Deployment, json: [{op: add, path: /spec/replica, "
         "value: 2}]}}]\n",
     "f:6:69: 'spec.replica', which a Deployment does not have"},
    {"server: {objects: [{name: d, kind: Deployment}]}\n" + kInformer +
         "script: [{patch: {name: d, kind: Deployment, json: [{op: add, path: /spec, value: "
         "{replica: 2}}]}}]\n",
     "f:6:83: 'spec.replica', which a Deployment does not have"},
    {kInformer + "script: [{stop: seer}, {start: seer}]\n",
     "f:5:32: a start of 'seer', which was stopped before; expected another client with 'starts: "
     "later'"},
    {kInformer + "script: [{stop: seer}, {stop: seer}]\n",
     "f:5:31: a stop of 'seer', which was stopped before; expected one stop"},
    {"clients: [{name: late, kind: informer, starts: later}]\nscript: [{stop: late}, {start: "
     "late}]\n",
     "f:5:17: a stop of 'late', which does not run; expected a start before it"},
    {"clients: [{name: op, kind: go, run: [x]}]\nscript: [{crash: op}, {when: {watching: op}, "
     "create: a}, {start: op}]\n",
     "f:5:30: waiting for an open watch of op, which can never come: 'op' has crashed before; "
     "expected 'start: op' in between"},
    {"clients: [{name: op, kind: go, run: [x]}]\nscript: [{stop: op}, {crash: op}]\n",
     "f:5:30: a crash of 'op', which does not run"},
    {"clients: [{name: op, kind: go, run: [x], starts: later}]\nscript: [{when: {noted: done}, "
     "create: a}, {start: op}]\n",
     "f:5:17: waiting for 1 notes 'done', which can never come: 'op' is not started before; "
     "expected 'start: op' in a step before"},
    {"clients: [{name: out, kind: external}]\nscript: [{when: {handled: {count: 1}}, create: a}]\n",
     "f:5:17: waiting for 1 handler calls, which can never come: 'out' is an external, of which no "
     "handler calls are known"},
    {"clients: [{name: late, kind: informer, starts: later}]\nscript: [{create: a}, {fault: "
     "{cut_watch: {of: late}}}]\n",
     "f:5:48: a fault of 'late', which never starts; expected a step with 'start: late'"},
    {kInformer + "script: [{move: {client: seer, to: 3}}]\n",
     "f:5:36: a move of 'seer' to the replica 3; expected 'server: {replicas: [{}, {lag: 5s}]}'"},
    {"server: {replicas: [{}, {}]}\nclients: [{name: seer, kind: informer}]\nscript: [{move: "
     "{client: seer, to: 2}}]\n",
     "f:6:36: a move of 'seer' to the replica 2; expected a replica from 0 to 1"},
    {"server: {replicas: [{}, {}]}\nclients: [{name: seer, kind: informer}]\nscript: [{stop: "
     "seer}, {move: {client: seer, to: 1}}]\n",
     "f:6:40: a move of 'seer', which was stopped before; expected the move before the stop"},
    {"clients: [{name: hub, kind: shared, handlers: [{name: a}, {name: b, starts: "
     "later}]}]\nscript: [{when: {handled: {of: b, count: 1}}, create: x}, {add_handler: b}]\n",
     "f:5:17: waiting for 1 handler calls of b, which can never come: 'hub' has not got that "
     "handler by then"},
    {"clients: [{name: hub, kind: shared, handlers: [{name: a}]}]\nscript: [{add_handler: a}]\n",
     "f:5:24: 'a', which is there already; expected 'starts: later' for the handler"},
    {"clients: [{name: hub, kind: shared, handlers: [{name: a, starts: later}]}]\nscript: "
     "[{add_handler: a}, {add_handler: a}]\n",
     "f:5:42: 'a', which is there already; expected one add_handler"},
    {"clients: [{name: hub, kind: shared, handlers: [{name: a}]}]\nscript: [{remove_handler: a}, "
     "{add_handler: a}]\n",
     "f:5:45: 'a', which was removed before; expected another handler"},
    {"clients: [{name: hub, kind: shared, handlers: [{name: a, starts: later}]}]\nscript: "
     "[{remove_handler: a}]\n",
     "f:5:27: 'a', which is not there at this step; expected a step with 'add_handler: a' before "
     "it"},
    {"clients: [{name: hub, kind: shared, handlers: [{name: a}]}]\nscript: [{remove_handler: a}, "
     "{remove_handler: a}]\n",
     "f:5:48: 'a', which was removed before; expected one remove_handler"},
    {"clients: [{name: seer, kind: informer, handlers: [{name: a}]}]\nscript: [{remove_handler: "
     "a}]\n",
     "f:5:27: 'a', a handler of an informer, which keeps it; expected a handler of a client of the "
     "kind shared"},
    {kInformer + "script: [{heal: cut_watch}, {fault: cut_watch}]\n",
     "f:5:17: a heal of 'cut_watch', which no step before it injects; expected a step with the "
     "fault 'cut_watch' before it"},
    {kInformer + "script: [{fault: {delay: {by: 1s, as: slow}}}, {heal: slow}, {heal: slow}]\n",
     "f:5:69: a heal of 'slow', which was healed before; expected one heal"},
    {kInformer + "script: [{fault: {evict_watch_window: {resource: configmap}}}]\n",
     "f:5:50: the fault 'evict_watch_window' of 'configmap', which no server serves; expected the "
     "plural name of a resource"},
    {kInformer + "script: [{create: {name: a, namespace: prod}}]\n",
     "f:5:40: the namespace 'prod', which is not there; expected 'namespaces: [prod]' in the "
     "server"},
    {"server: {objects: [{name: a, namespace: prod}]}\nclients: [{name: seer, kind: informer}]\n",
     "f:4:41: the namespace 'prod', which is not there"},
    {"server: {objects: [web]}\nclients: [{name: seer, kind: informer}]\nscript: [{patch: {name: "
     "web, merge: {metadata: {name: wbe}}}}]\n",
     "f:6:48: a patch that a server refuses: the name of the object (wbe) does not match"},
    {"server: {objects: [web]}\nclients: [{name: seer, kind: informer}]\nscript: [{patch: {name: "
     "web, merge: {metadata: {labels: {a: 1}}}}}]\n",
     "f:6:48: a patch that a server refuses: "},
    {"server: {objects: [web]}\nclients: [{name: seer, kind: informer}]\nscript: [{patch: {name: "
     "web, json: [{op: replace, path: /metadata/name, value: b}]}}]\n",
     "f:6:36: a patch that a server refuses: the name of the object (b)"},
    {"server: {controllers: [system]}\n" + kInformer +
         "script: [{create: {name: kubernetes, kind: Service}}]\n",
     "f:6:19: a create of the Service 'kubernetes', which the server has from the beginning; "
     "expected an update instead, or another name"},
    {kOutsider + "script: [{create: {name: kubernetes, kind: Service}}]\n",
     "f:5:19: a create of the Service 'kubernetes', which the server has"},
    {kOutsider +
         "script: [{create: {name: default, kind: ServiceAccount, namespace: kube-system}}]\n",
     "f:5:19: a create of the ServiceAccount 'default', which the server has"},
    {kOutsider + "script: [{create: {name: kube-public, kind: Namespace}}]\n",
     "f:5:19: a create of the Namespace 'kube-public', which the server has"},
    {kInformer + "script: [{create: {name: default, kind: Namespace}}]\n",
     "f:5:19: a create of the Namespace 'default', which the server has"},
    {"server: {namespaces: [prod]}\n" + kInformer +
         "script: [{create: {name: prod, kind: Namespace}}]\n",
     "f:6:19: a create of the Namespace 'prod', which the server has"},
    {"server: {namespaces: [prod], objects: [{name: prod, kind: Namespace}]}\n" + kInformer,
     "f:4:40: a create of the Namespace 'prod', which the server has"},
    {kInformer + "script: [{delete: {name: kubernetes, kind: Service}}]\n",
     "f:5:19: unknown object 'kubernetes'"},
    {"server: {controllers: [jobs]}\n" + kInformer +
         "script: [{delete: {name: pj-x, kind: Pod}}]\n",
     "f:6:19: unknown object 'pj-x'"},
    {"server: {controllers: [jobs], objects: [{name: pi, kind: Job}]}\n" + kInformer +
         "script: [{delete: {name: pj-x, kind: Pod}}]\n",
     "f:6:19: unknown object 'pj-x'"},
    {"clients: [{name: out, kind: external, makes: [made]}]\nscript: [{delete: mode}]\n",
     "f:5:19: unknown object 'mode'; expected made; did you mean \"made\"?"},
    {"server: {bulk_objects: 10}\n" + kInformer +
         "script: [{update: {name: crowd-000999, data: {a: b}}}]\n",
     "f:6:19: unknown object 'crowd-000999'; expected one from crowd-000000 to crowd-000009; did "
     "you mean \"crowd-000009\"?"},
    {"server: {bulk_objects: 10}\n" + kInformer + "script: [{delete: crowd-7}]\n",
     "f:6:19: unknown object 'crowd-7'; expected one from crowd-000000 to crowd-000009; did you "
     "mean \"crowd-000007\"?"},
    {"server: {bulk_objects: 10}\n" + kInformer + "script: [{delete: crowd-000010}]\n",
     "f:6:19: unknown object 'crowd-000010'"},
    {"server: {bulk_objects: 10}\n" + kInformer + "script: [{create: crowd-000009}]\n",
     "f:6:19: a second 'crowd-000009', while the first is there"},
    {"server: {bulk_objects: 10}\n" + kInformer +
         "script: [{delete: crowd-000003}, {delete: crowd-000003}]\n",
     "f:6:43: 'crowd-000003' is not there at this step"},
    {kInformer + "script: [{create: {name: a, kind: Pod, body: {metadata: {labels: {a: b}}, kind: "
                 "Node}}}]\n",
     "f:5:47: 'metadata' in the body of a Pod; expected 'labels', 'annotations' and 'finalizers' "
     "beside 'body'"},
    {kInformer + "script: [{create: {name: a, kind: Pod, body: {kind: Node}}}]\n",
     "f:5:47: 'kind' in the body of a Pod, which is Pod; expected 'kind: Node' beside 'body'"},
    {kInformer + "script: [{apply: {name: a, kind: Pod, body: {apiVersion: v7}}}]\n",
     "f:5:46: 'apiVersion' in the body of a Pod, which is v1; expected 'apiVersion: v1', or"},
    {"server: {objects: [{name: a, data: {b: c}, body: {data: {d: e}}}]}\n" + kInformer,
     "f:4:51: 'data' in the body of a ConfigMap that has 'data' beside it; expected all of it in"},
    {"server: {objects: [{name: a, kind: Deployment, body: {spec: {replicas: three}}}]}\n" +
         kInformer,
     "f:4:72: a text where 'spec.replicas' of a Deployment belongs; expected a whole number"},
    {"server: {objects: [{name: a, kind: Pod, body: {spec: {containers: [{name: 5}]}}}]}\n" +
         kInformer,
     "f:4:75: a number where 'spec.containers[0].name' of a Pod belongs; expected a text; in "
     "quotes"},
    {"server: {objects: [{name: a, kind: Pod, body: {spec: {containers: {name: a}}}}]}\n" +
         kInformer,
     "f:4:67: a mapping where 'spec.containers' of a Pod belongs; expected a list"},
    {"server: {objects: [web]}\n" + kInformer +
         "script: [{patch: {name: web, merge: {data: 5}}}]\n",
     "f:6:44: a number where 'data' of a ConfigMap belongs; expected keys, as in {a: b}"},
    {"server: {objects: [web]}\n" + kInformer +
         "script: [{patch: {name: web, merge: {data: {z: {}}}}}]\n",
     "f:6:44: a mapping where 'data' of a ConfigMap belongs; expected a text"},
    {"server: {objects: [web]}\n" + kInformer +
         "script: [{patch: {name: web, merge: {kind: Pod}}}]\n",
     "f:6:37: a patch that makes something else of a ConfigMap; expected the kind"},
    {"server: {objects: [web]}\n" + kInformer +
         "script: [{patch: {name: web, json: [{op: add, path: /data, value: 5}]}}]\n",
     "f:6:67: a number where 'data' of a ConfigMap belongs; expected keys, as in {a: b}"},
    {"server: {objects: [{name: web, kind: Pod}]}\n" + kInformer +
         "script: [{patch: {name: web, kind: Pod, json: [{op: replace, path: "
         "/spec/containers/0/image, value: [a]}]}}]\n",
     "f:6:101: a list where 'spec.containers[0].image' of a Pod belongs; expected a text"},
    {"server: {objects: [web]}\n" + kInformer +
         "script: [{patch: {name: web, json: [{op: add, path: /metadata/labels/a~1b, value: "
         "true}]}}]\n",
     "f:6:83: a truth value where 'metadata.labels' of a ConfigMap belongs; expected a text"},
    {"server: {objects: [web]}\n" + kInformer +
         "script: [{patch: {name: web, json: [{op: test, path: \"\", value: {}}]}}]\n",
     "f:6:48: 'op: test' of the whole object, which a server refuses; expected the path of a part"},
    {"server: {objects: [web]}\n" + kInformer +
         "script: [{patch: {name: web, json: [{op: move, from: \"\", path: /data}]}}]\n",
     "f:6:48: 'op: move' of the whole object, which a server refuses"},
    {"server: {objects: [web]}\n" + kInformer +
         "script: [{patch: {name: web, json: [{op: replace, path: \"\", value: {data: {a: "
         "b}}}]}}]\n",
     "f:6:36: a patch that a server refuses: "},
    {kInformer + "script: [{stop: seer}, {start: seer}, {stop: seer}, {when: {watching: seer}, "
                 "create: a}]\n",
     "f:5:32: a start of 'seer', which was stopped before"},
    {"clients: [{name: op, kind: go, run: [x]}]\nscript: [{start: op}, {crash: op}, {crash: op}, "
     "{stop: op}]\n",
     "f:5:18: a start of 'op', which runs already"},
    {kOutsider + "script: [{start: out}, {crash: out}, {stop: out}]\n",
     "f:5:18: a start, stop, crash or move of the external client 'out'"},
    {"clients: [{name: hub, kind: shared, handlers: [{name: a}]}]\nscript: [{remove_handler: a}, "
     "{add_handler: a}, {remove_handler: a}, {when: {handled: {of: a, count: 9}}, create: x}]\n",
     "f:5:45: 'a', which was removed before; expected another handler"},
    {"clients: [{name: hub, kind: shared, handlers: [{name: a}]}]\nscript: [{remove_handler: a}]\n"
     "until: {handled: {of: a, count: 9}}\n",
     "f:6:8: waiting for 9 handler calls of a, which can never come: 'hub' has not got that "
     "handler any more; expected the condition before the remove_handler"},
    {"clients: [{name: hub, kind: shared, handlers: [{name: a, adds: b}, {name: b, starts: later, "
     "removes: b}]}]\n",
     "f:4:93: the handler 'b' that removes 'b', which a handler adds; expected either of both"},
    {"clients: [{name: late, kind: informer, starts: later}]\nscript: [{fault: {cut_watch: {of: "
     "late}}}, {fault: {close_watch: {of: late}}}]\nexpect: [{handler: {exactly: []}}]\n",
     "f:5:35: a fault of 'late', which never starts"},
    {"program: stop_a_full_watcher\nserver: {objects: [a]}\nscript: [{create: b}]\nexpect: "
     "[{store: "
     "{exactly: []}}]\n",
     "f:5:9: 'server' and 'script' and 'expect' beside a program"},
};

}  // namespace

BOOST_DATA_TEST_CASE(what_can_never_be_is_refused_at_its_word, refusals, each) {
  const std::string found = problems_with(each.lines);
  BOOST_TEST(found.starts_with(each.begins), found);
  BOOST_TEST(std::ranges::count(found, '\n') == 1, found);
}

/// Each of these may come, in one schedule or by somebody else's hand.
BOOST_AUTO_TEST_CASE(what_may_come_is_taken) {
  const std::string hub =
      "clients: [{name: hub, kind: shared, handlers: [{name: a, adds: b}, {name: b, starts: "
      "later}]}]\n";
  const std::string program = "clients: [{name: op, kind: go, run: [x]}]\n";
  const std::vector<std::string> taken{
      kInformer +
          "script: [{at: 1s, stop: seer}, {when: {synced: seer}, create: a}]\n"
          "until: {handled: {count: 1}}\n",
      hub + "script: [{when: {handled: {of: b, count: 1}}, create: x}]\n",
      hub + "script: [{create: x}, {remove_handler: b}]\n",
      program + "script: [{crash: op}, {start: op}, {when: {watching: op}, create: a}]\n",
      kInformer +
          "script: [{fault: {restart_server: {choice: true}}}, {heal: restart_server}, "
          "{heal: restart_server}]\n",
      kInformer +
          "script: [{fault: cut_watch}, {heal: cut_watch}, {fault: cut_watch}, "
          "{heal: cut_watch}]\n",
      kInformer +
          "script: [{fault: {drop_event: {as: x}}}, {heal: x}, {fault: {empty_event: {as: x}}}]\n",
      kInformer +
          "script: [{fault: {drop_event: {as: x, times: 1}}}, {fault: {empty_event: {as: x}}}]\n",
      kInformer +
          "script: [{create: {name: p, kind: Pod, body: {spec: {containers: [{name: c}], "
          "nodeSelector: {my: label}}}}}]\n",
      kInformer + "script: [{create: a}, {fault: restore_backup}, {create: a}]\n",
      "server: {replicas: [{}, {}]}\nclients: [{name: late, kind: informer, starts: later}]\n"
      "script: [{move: {client: late, to: 1}}, {start: late}]\n",
      "server: {objects: [{name: prod, kind: Namespace}, {name: a, namespace: prod}]}\n" +
          kInformer,
      kInformer +
          "script: [{create: {name: prod, kind: Namespace}}, {create: {name: a, "
          "namespace: prod}}]\n",
      "server: {objects: [web]}\n" + kInformer +
          "script: [{patch: {name: web, json: [{op: test, path: /data}, {op: add, path: "
          "/data, value: ~}, {op: remove, path: /data, value: 1}]}}]\n",
      kOutsider +
          "script: [{delete: {name: kubernetes, kind: Service}}, {update: {name: default, kind: "
          "ServiceAccount, labels: {a: b}}}, {create: {name: kubernetes, kind: Service}}, {delete: "
          "what-it-makes}]\nexpect: [{objects: {kind: Pod, at_least: [job-abc]}}]\n",
      "server: {controllers: [system]}\n" + kInformer +
          "script: [{update: {name: kubernetes, kind: Service, labels: {a: b}}}, {delete: {name: "
          "default, kind: ServiceAccount}}, {create: {name: web, namespace: kube-public}}]\n",
      "server: {controllers: [jobs, slices, volumes], objects: [{name: pi, kind: Job}, {name: web, "
      "kind: Service}]}\n" +
          kInformer +
          "script: [{delete: {name: pi-x7k2p, kind: Pod}}, {delete: {name: web-watchlab, kind: "
          "EndpointSlice}}]\nexpect: [{objects: {kind: PersistentVolume, never: [pvc-1]}}]\n",
      "server: {namespaces: [prod]}\n" + kInformer +
          "script: [{update: {name: prod, kind: Namespace, labels: {a: b}}}, {delete: {name: prod, "
          "kind: Namespace}}, {create: {name: prod, kind: Namespace}}]\n",
      kController + "expect: [{objects: {never: [web-12]}}]\n",
      "server: {bulk_objects: 10}\n" + kInformer +
          "script: [{delete: crowd-000009}, {create: crowd-000009}, {update: {name: crowd-000000, "
          "data: {a: b}}}]\nexpect: [{objects: {at_least: [crowd-000004]}}]\n",
      "server: {objects: [{name: a, kind: Pod, body: {kind: Pod, apiVersion: v1, spec: "
      "{containers: [{name: c, ports: [{containerPort: 80}]}]}}}]}\n" +
          kInformer +
          "script: [{patch: {name: a, kind: Pod, merge: {kind: Pod, spec: {nodeName: ~}}}}, "
          "{patch: "
          "{name: a, kind: Pod, json: [{op: add, path: /spec/containers/-, value: {name: d}}, {op: "
          "copy, from: /spec, path: /status}]}}]\n"};
  for (const std::string& lines : taken) {
    BOOST_TEST(problems_with(lines) == "", lines);
  }
}

/// Each of these a server takes.
BOOST_AUTO_TEST_CASE(names_that_a_server_takes_are_taken) {
  const std::string longest = std::string(253, 'n');
  BOOST_TEST(problems_with("server:\n  namespaces: [" + std::string(63, 'n') +
                           "]\n  objects: [a.b, " + longest +
                           ", {name: a-1, kind: Service}, {name: 1.a, kind: Pod}, {name: 1a, kind: "
                           "Namespace}, {name: c, annotations: {Example.com/A_b: x}}]\n" +
                           kInformer) == "");
}

BOOST_AUTO_TEST_CASE(an_update_with_empty_maps_empties_them) {
  const std::string server =
      "server: {objects: [{name: web, finalizers: [example.com/x], labels: {a: b}, "
      "annotations: {c: d}, data: {k: v}}]}\n";
  BOOST_TEST(failure_of(server + kInformer +
                        "script:\n"
                        "  - {at: 5s, update: {name: web, finalizers: [], labels: {}, "
                        "annotations: {}, data: {}}}\n"
                        "  - {at: 10s, delete: web}\n"
                        "expect:\n"
                        "  - handler: {exactly: [add: web, update: {name: web, to: {labels: {}, "
                        "data: {}}}, delete: web]}\n"
                        "  - objects: {exactly: []}\n") == "");
}

BOOST_AUTO_TEST_CASE(an_update_keeps_what_it_does_not_name) {
  BOOST_TEST(
      failure_of("server: {objects: [{name: web, labels: {a: b}, data: {k: v}}]}\n" + kInformer +
                 "script: [{at: 5s, update: {name: web, labels: {}}}]\n"
                 "expect: [objects: {exactly: [{name: web, labels: {}, data: {k: v}}]}]\n") == "");
}

BOOST_AUTO_TEST_CASE(an_object_without_its_label_is_gone_for_who_selects_by_it) {
  BOOST_TEST(failure_of("server: {objects: [{name: web, labels: {a: b}, annotations: {c: d}, "
                        "data: {k: v}}]}\n"
                        "clients: [{name: seer, kind: informer, labels: a=b}]\n"
                        "script: [{at: 5s, update: {name: web, labels: {}, data: {k: w}}}]\n"
                        "expect: [handler: {exactly: [{add: web}, {delete: web}]}]\n") == "");
}

BOOST_AUTO_TEST_CASE(empty_maps_are_written_as_they_were_read) {
  const Parsed parsed = parse_scenario(
      told(kInformer + "script: [{create: web}, {update: {name: web, labels: {}, data: {}}}]\n"));
  BOOST_TEST_REQUIRE(parsed.scenario.has_value());
  const Parsed again = parse_scenario(scenario_text(*parsed.scenario));
  BOOST_TEST_REQUIRE(again.scenario.has_value());
  BOOST_TEST((again.scenario->script == parsed.scenario->script ||
              again.scenario->script[1].actions == parsed.scenario->script[1].actions));
}

BOOST_AUTO_TEST_CASE(a_step_can_wait_for_what_a_controller_writes) {
  BOOST_TEST(failure_of(kController + "script:\n"
                                      "  - when: {requested: {of: rs, verb: CREATE, count: 1}}\n"
                                      "    delete: web\n"
                                      "expect: [objects: {never: [web]}]\n") == "");
  BOOST_TEST(failure_of(kController + "until: {requested: {of: rs, count: 4}}\n") == "");
}

BOOST_AUTO_TEST_CASE(many_writes_of_a_controller_at_one_instant_are_no_livelock) {
  BOOST_TEST(failure_of("server: {controllers: [jobs, pods], objects: [{name: j, kind: Job, body: "
                        "{spec: {completions: 900, parallelism: 900, template: {spec: {"
                        "restartPolicy: Never, containers: [{name: c, image: i}]}}}}}]}\n" +
                        kInformer + "until: 10s\n") == "");
}

BOOST_AUTO_TEST_CASE(the_writes_of_a_controller_are_among_its_requests) {
  BOOST_TEST(failure_of(kController +
                        "expect:\n"
                        "  - requests: {exactly: [LIST: {rv: \"0\"}, WATCH: {}, CREATE: {name: "
                        "web-1}, CREATE: {name: web-2}]}\n") == "");
  BOOST_TEST(failure_of(kController + "expect: [requests: {exactly: [LIST: {}, WATCH: {}]}]\n")
                 .find("after the 2 expected ones came 'CREATE web-1") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_printed_object_shows_what_decides_its_fate) {
  const std::string text = failure_of(
      "server: {objects: [{name: web, finalizers: [example.com/x], labels: {a: b}, "
      "annotations: {c: d}}]}\n" +
      kInformer +
      "script:\n"
      "  - {at: 5s, patch: {name: web, merge: {metadata: {ownerReferences: [{apiVersion: v1, kind: "
      "Pod, name: boss, uid: \"1\"}]}}}}\n"
      "  - {at: 6s, delete: web}\n"
      "expect: [objects: {exactly: []}]\n");
  for (const char* const part : {"labels {a=b}", "annotations {c=d}", "finalizers [example.com/x]",
                                 "owners [Pod/boss]", "deletionTimestamp "}) {
    BOOST_TEST(text.find(part) != std::string::npos, part << " in " << text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
