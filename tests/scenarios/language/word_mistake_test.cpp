// Keys, names and values that people type wrong in what is YAML, and what they are told: written
// down before the messages were.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "tests/scenarios/language/told_mistake.hpp"

using namespace watchlab::scenarios;
using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(word_mistake_test)

namespace {

const std::vector<Mistake> mistakes{
    {"list_wanted", head + "clients: {name: app, kind: informer}\n",
     "f:4:10: a mapping where a list of clients belongs",
     "a '- ' before the first key of each entry"},
    {"map_wanted",
     head + "server:\n"
            "  - objects: [demo]\n",
     "f:5:3: a list where a server belongs", "keys, as in 'objects: ...', and no list"},
    {"misspelt_kind",
     head + "clients:\n"
            "  - {name: app, kind: infromer}\n",
     "f:5:23: 'infromer' is not a kind of client", "did you mean \"informer\"?"},
    {"unknown_key",
     head + "clients:\n"
            "  - {name: app, kind: informer, resnyc: 5s}\n",
     "f:5:33: unknown key 'resnyc' in a client", "did you mean \"resync\"?"},
    {"unknown_top_key",
     head + "clinets:\n"
            "  - {name: app, kind: informer}\n",
     "f:4:1: unknown key 'clinets' in a scenario", "did you mean \"clients\"?"},
    {"duration_no_unit",
     head + "clients:\n"
            "  - {name: app, kind: informer}\n"
            "script:\n"
            "  - {at: 5, create: demo}\n",
     "f:7:10: '5' is not a duration", "did you mean \"5s\"?"},
    {"duration_bad_unit",
     head + "script:\n"
            "  - {at: 5sec, create: demo}\n",
     "f:5:10: '5sec' is not a duration", "did you mean \"5s\"?"},
    {"unknown_rv",
     head + "clients:\n"
            "  - {name: app, kind: informer}\n"
            "script:\n"
            "  - {at: 5s, create: {name: demo, rv_as: born}}\n"
            "expect:\n"
            "  - handler: {exactly: [add: {name: demo, rv: $bron}]}\n",
     "f:9:47: unknown symbol 'bron'", "did you mean \"born\"?"},
    {"two_actions",
     head + "script:\n"
            "  - {at: 5s, create: demo, delete: demo}\n",
     "f:5:28: 'delete' beside 'create' in a step",
     "a step for each, or both in 'atomic: [...]' at one instant"},
    {"no_action",
     head + "script:\n"
            "  - {at: 5s}\n",
     "f:5:5: a step that says nothing",
     "create, update, delete, patch, apply, fault, heal, start, stop, crash, add_handler, "
     "remove_handler, move, atomic or wait"},
    {"never_condition",
     head + "clients:\n"
            "  - {name: app, kind: informer}\n"
            "script:\n"
            "  - {when: {watching: apq}, create: demo}\n",
     "f:7:23: unknown client 'apq'", "did you mean \"app\"?"},
    {"update_unknown",
     head + "clients:\n"
            "  - {name: app, kind: informer}\n"
            "script:\n"
            "  - {at: 5s, update: {name: wbe, data: {a: b}}}\n",
     "f:7:22: unknown object 'wbe'",
     "an object that `create`, `apply` or `server: {objects: [...]}` makes"},
    {"delete_unknown",
     head + "server: {objects: [web]}\n"
            "clients:\n"
            "  - {name: app, kind: informer}\n"
            "script:\n"
            "  - {at: 5s, delete: wbe}\n",
     "f:8:22: unknown object 'wbe'", "did you mean \"web\"?"},
    {"story_missing",
     "apiVersion: watchlab/v1\n"
     "name: demo\n"
     "server: {objects: [demo]}\n",
     "f:1:1: a scenario without 'story'",
     "'story: A client misses a delete while its watch is down.'"},
    {"name_missing",
     "apiVersion: watchlab/v1\n"
     "story: A demo.\n",
     "f:1:1: a scenario without 'name'", "'name: missed_delete'"},
    {"version_missing",
     "name: demo\n"
     "story: A demo.\n",
     "f:1:1: a scenario without 'apiVersion'", "'apiVersion: watchlab/v1'"},
    {"version_wrong",
     "apiVersion: v1\n"
     "name: demo\n"
     "story: A demo.\n",
     "f:1:13: 'v1' is not a version of the language", "watchlab/v1"},
    {"bool_wrong",
     head + "clients:\n"
            "  - {name: app, kind: informer}\n"
            "expect:\n"
            "  - handler: {exactly: [add: {name: demo, initial: ture}]}\n",
     "f:7:52: 'ture' is not a yes or no", "did you mean \"true\"?"},
    {"data_list", head + "server: {objects: [{name: web, data: [a, b]}]}\n",
     "f:4:38: a list where data belongs", "keys with texts, as in {a: b}"},
    {"data_nested", head + "server: {objects: [{name: web, data: {a: {b: c}}}]}\n",
     "f:4:42: a mapping where a text belongs", "a text"},
    {"tilde_expect",
     head + "clients:\n"
            "  - {name: app, kind: informer}\n"
            "expect:\n"
            "  handler: {exactly: []}\n",
     "f:7:3: a mapping where a list of expectations belongs",
     "a '- ' before the first key of each entry"},
    {"null_value",
     head + "clients:\n"
            "  - {name: app, kind:}\n",
     "f:5:17: nothing where a kind of client belongs",
     "informer, shared, program, controller, fifo, store, external or go"},
    {"null_block",
     head + "server:\n"
            "clients:\n"
            "  - {name: app, kind: informer}\n",
     "f:4:1: nothing where a server belongs", "keys, as in 'namespaces: ...'"},
    {"dup_client",
     head + "clients:\n"
            "  - {name: app, kind: informer}\n"
            "  - {name: app, kind: informer}\n",
     "f:6:12: the client 'app' for the second time", "another name; the first one is on line 5"},
    {"expect_unknown_word",
     head + "clients:\n"
            "  - {name: app, kind: informer}\n"
            "expect:\n"
            "  - handler: {exacly: [add: demo]}\n",
     "f:7:15: unknown key 'exacly' in handler calls", "did you mean \"exactly\"?"},
    {"negative_duration",
     head + "script:\n"
            "  - {at: -5s, create: demo}\n",
     "f:5:10: '-5s' is not a duration",
     "a number, zero or more, and a unit, like 1500ms, 5s, 10m or 2h"},
    {"huge",
     head + "script:\n"
            "  - {at: 99999999999h, create: demo}\n",
     "f:5:10: '99999999999h' is too long", "a duration of at most 87840h"},
    {"names_without_comma", head + "server: {objects: [demo web]}\n",
     "f:4:20: 'demo web' is not a valid name of a ConfigMap",
     "a ',' between them, as in [demo, web]"},
    {"names_without_comma_in_lines", head + "server: {objects: [web,\n  demo\n  third]}\n",
     "f:5:3: 'demo third' is not a valid name of a ConfigMap", "[demo, third]"},
    {"namespaces_without_comma", head + "server: {namespaces: [a b]}\n",
     "f:4:23: 'a b' is not a valid name of a Namespace", "[a, b]"},
    {"finalizers_without_comma",
     head + "server: {objects: [{name: a, finalizers: [example.com/a example.com/b]}]}\n",
     "f:4:43: 'example.com/a example.com/b' is not a valid finalizer",
     "[example.com/a, example.com/b]"},
    {"words_without_comma", head + "server: {controllers: [garbage namespaces]}\n",
     "f:4:24: 'garbage namespaces' is not a controller", "[garbage, namespaces]"},
    {"uses_without_comma",
     head + "server: {objects: [demo, web]}\n" + kClients +
         "expect:\n  - store: {exactly: [demo web]}\n",
     "f:7:23: unknown object 'demo web'", "[demo, web]"},
    {"apostrophe_at_the_end", head + "server: {objects: [web\u2019]}\n",
     "f:4:20: 'web\u2019' is not a valid name of a ConfigMap", "did you mean \"web\"?"},
    {"symbol_with_dollar",
     head + kClients +
         "script:\n  - {create: {name: demo, rv_as: $born}}\n"
         "expect:\n  - handler: {exactly: [add: {name: demo, rv: $born}]}\n",
     "f:6:34: '$born' where a symbol gets its name", "'born'; where it is used, '$born'"},
    {"revision_without_dollar",
     head + kClients +
         "script:\n  - {create: {name: demo, rv_as: born}}\n"
         "expect:\n  - handler: {exactly: [add: {name: demo, rv: born}]}\n",
     "f:8:47: 'born' is neither a revision nor a $name", "did you mean \"$born\"?"},
    {"key_beside_a_name",
     head + kClients +
         "script: [{create: demo}]\nexpect:\n  - handler: {exactly: [{add: demo, times: 2}]}\n",
     "f:7:37: 'times' beside 'add'", "'add: {name: demo, times: 2}'"},
    {"key_too_deep", head + kClients + "expect:\n  - handler: {of: app, exactly: []}\n",
     "f:6:15: 'of', a key of an expectation, in handler calls",
     "it further out, among the keys of an expectation"},
    {"word_for_of", head + kClients + "script:\n  - {at: 5s, fault: {cut_watch: {client: app}}}\n",
     "f:6:34: unknown key 'client' in cut_watch", "did you mean \"of\"?"},
    {"comma_behind_a_name", head + "clients:\n  - name: app,\n    kind: informer\n",
     "f:5:11: 'app,' with a ',' at its end", "'app'"},
    {"atomic_empty",
     head + "clients: [{name: app, kind: informer}]\n"
            "script:\n"
            "  - {at: 1s, atomic: []}\n",
     "f:6:22: an empty list where a list of what happens belongs", "at least one entry"},
    {"within_no_time",
     head + "clients: [{name: app, kind: informer}]\n"
            "within: 0s\n",
     "f:5:9: no time for the story", "more than 0s"},
    {"schedule_cut",
     head + "clients: [{name: app, kind: informer}]\n"
            "schedule: w1:c65b72f969100994:1:::b6af\n",
     "f:5:11: the schedule is incomplete or was changed", "the line that a failure has printed"},
    {"label_selector", head + "clients: [{name: app, kind: informer, labels: \"a in (b\"}]\n",
     "f:4:47: a selector that a server refuses: ", "one as in 'color=red,size in (s, m)'"},
    {"field_selector", head + "clients: [{name: app, kind: informer, fields: metadata.nam=x}]\n",
     "f:4:47: a selector that a server refuses: ", "one as in 'metadata.name=demo'"},
    {"name_refused_in_one_place",
     head + "server: {objects: [Demo_1]}\n"
            "clients: [{name: app, kind: informer}]\n"
            "script: [{delete: demo}]\n",
     "f:4:20: 'Demo_1' is not a valid name of a ConfigMap", "did you mean \"demo-1\"?"},
    {"name_refused_in_two_places",
     head + "server: {objects: [Demo_1]}\n"
            "clients: [{name: app, kind: informer}]\n"
            "script: [{delete: Demo_1}]\n",
     "f:4:20: 'Demo_1' is not a valid name of a ConfigMap", "did you mean \"demo-1\"?"},
    {"namespace_refused_in_one_place",
     head + "server: {objects: [{name: demo, namespace: Prod_1}]}\n"
            "clients: [{name: app, kind: informer}]\n"
            "script: [{delete: demo}]\n",
     "f:4:44: 'Prod_1' is not a valid name of a Namespace", "did you mean \"prod-1\"?"},
    {"unknown_in_three_places",
     head + "server: {objects: [demo]}\n"
            "clients: [{name: app, kind: informer}]\n"
            "script: [{update: {name: dmeo, data: {a: b}}}, {delete: dmeo}]\n"
            "expect: [{store: {exactly: [dmeo]}}]\n",
     "f:6:19: unknown object 'dmeo'", "did you mean \"demo\"?"},
    {"pause_of_an_informer", head + "clients: [{name: app, kind: informer, pause: 1s}]\n",
     "f:4:39: a pause of an informer", "'handlers: [{name: slow, takes: 1s}]'"},
    {"takes_of_an_informer", head + "clients: [{name: app, kind: informer, takes: 1s}]\n",
     "f:4:39: work of a client that has no workers", "'handlers: [{name: slow, takes: 1s}]'"},
    {"step_cut_in_two", head + kClients + "script:\n  - at: 5s\n  - create: a\n",
     "f:6:5: a step that says nothing but 'at'", "beside it, in the same entry"},
    {"fault_by_its_name", head + kClients + "script: [{fault: {name: close_watch, times: 1}}]\n",
     "f:5:19: 'name: close_watch' in a fault", "'close_watch' itself as the key"},
    {"list_of_keys", head + "clients: app\n", "f:4:10: 'app' where a list of clients belongs",
     "a list, as in [{name: app}]"},
    {"a_manifest", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
     "f:2:7: a manifest of the kind 'ConfigMap'", "'apiVersion: watchlab/v1'"},
    {"step_as_a_list", head + kClients + "script:\n  - [create, x]\n",
     "f:6:5: a list where a step belongs", "'create: x', and no list"},
    {"step_as_words_of_a_list", head + kClients + "script: [delete, x]\n",
     "f:5:10: 'delete' where a step belongs", "'delete: ...'"},
    {"dash_alone", head + kClients + "script:\n  -\n  # end\n",
     "f:6:3: nothing where a step belongs", "'create: ...'"},
    {"words_in_braces", head + kClients + "script: [{create, demo}]\n",
     "f:5:11: 'create' without a ':' before 'demo'", "'create: demo'"},
    {"clients_by_name", head + "clients:\n  app: {kind: informer}\n",
     "f:5:3: a mapping where a list of clients belongs", "[{name: app, ...}]"},
    {"steps_in_braces", head + kClients + "script: {create: demo}\n",
     "f:5:9: a mapping where a list of steps belongs", "[ and ] around it"},
    {"client_as_a_word", head + "clients: [app]\n", "f:4:11: 'app' where a client belongs",
     "'name: app'"},
    {"name_as_a_list", "apiVersion: watchlab/v1\nname: [demo]\nstory: A.\n" + kClients,
     "f:2:7: a list where the name of a scenario belongs", "a text alone, and no list"},
    {"clients_as_a_text", head + "clients: |\n  - {name: app, kind: informer}\n",
     "f:4:10: '- {name: app, kind: informer}' where a list of clients belongs",
     "the same without '|'"},
    {"steps_in_quotes", head + kClients + "script: \"[{create: demo}]\"\n",
     "f:5:9: '[{create: demo}]' where a list of steps belongs", "or quotes"},
    {"number_in_quotes", head + kClients + "until: {requested: {count: \"3\"}}\n",
     "f:5:28: '3' in quotes is a text, and not a count", "3 without quotes"},
    {"number_of_base_16", head + kClients + "until: {requested: {count: 0x10}}\n",
     "f:5:28: '0x10' is not a count", "did you mean \"16\"?"},
    {"number_with_a_mark", head + kClients + "until: {requested: {count: 1_000}}\n",
     "f:5:28: '1_000' is not a count", "did you mean \"1000\"?"},
    {"number_of_thousands", head + kClients + "until: {requested: {count: 3k}}\n",
     "f:5:28: '3k' is not a count", "did you mean \"3000\"?"},
    {"number_and_a_word", head + kClients + "until: {requested: {count: 3 requests}}\n",
     "f:5:28: '3 requests' is not a count", "did you mean \"3\"?"},
    {"condition_as_a_word", head + kClients + "script:\n  - {when: synced, create: demo}\n",
     "f:6:12: 'synced' where a condition belongs", "'synced: ...'"},
    {"condition_as_a_list", head + kClients + "script:\n  - {when: [synced], create: demo}\n",
     "f:6:12: a list where a condition belongs", "'synced: ...', and no list"},
    {"expectation_as_a_word", head + kClients + "expect: store\n",
     "f:5:9: 'store' where a list of expectations belongs", "[{store: ...}]"},
    {"number_for_objects", head + kClients + "expect:\n  - store: {exactly: 3}\n",
     "f:6:22: '3' where a list of objects belongs", "a list, as in [a, b]"},
    {"labels_as_a_list", head + kClients + "script:\n  - create: {name: a, labels: [b]}\n",
     "f:6:31: a list where labels belong", "keys with texts, as in {a: b}"},
    {"labels_as_of_kubectl", head + kClients + "script:\n  - create: {name: a, labels: app=web}\n",
     "f:6:31: 'app=web' where labels belong", "as in {app: web}"},
    {"handlers_as_words", head + "clients: [{name: app, kind: informer, handlers: [h, g]}]\n",
     "f:4:50: 'h' where a handler belongs", "'name: h'"},
    {"body_as_a_list", head + "server: {objects: [{name: a, body: [x]}]}\n" + kClients,
     "f:4:36: a list where members of an object belong", "keys, as in {a: b}"},
    {"number_of_calls_alone", head + kClients + "until: {handled: 3}\n",
     "f:5:18: '3' where a number of handler calls belongs", "'count: 3'"},
    {"exploration_as_a_word", head + kClients + "explore: random\n",
     "f:5:10: 'random' where an exploration belongs", "'strategy: random'"},
    {"replicas_as_a_word", head + "server: {replicas: two}\n" + kClients,
     "f:4:20: 'two' where a list of replicas belongs", "[{lag: ...}]"},
    {"arrow_alone", head + kClients + "script:\n  - >\n",
     "f:6:5: an empty text where a step belongs",
     "keys, as in 'create: ...', without '|', '>' or quotes"},
    {"arrow_for_a_colon", head + kClients + "script:\n  - at => 1s\n",
     "f:6:5: 'at => 1s' where a step belongs", "'at: 1s'"},
    {"fault_in_another_order", head + kClients + "script:\n  - fault: watch_cut\n",
     "f:6:12: 'watch_cut' is not a fault", "did you mean \"cut_watch\"?"},
    {"fault_in_other_words", head + kClients + "script:\n  - fault: {watch_drop: {of: app}}\n",
     "f:6:13: unknown key 'watch_drop' in a fault", "did you mean \"cut_watch\"?"},
    {"letter_of_another_alphabet", head + "\u0441lients: [{name: app, kind: informer}]\n",
     "f:4:1: unknown key '\u0441lients' in a scenario",
     "did you mean \"clients\"? (its '\u0441' is U+0441)"},
    {"operation_of_a_patch",
     head + "server: {objects: [web]}\nclients: [{name: app, kind: informer}]\nscript: [{patch: "
            "{name: web, json: [{op: replce, path: /data/a, value: b}]}}]\n",
     "f:6:42: 'replce' is not an operation", "did you mean \"replace\"?"},
    {"path_of_a_patch",
     head + "server: {objects: [web]}\nclients: [{name: app, kind: informer}]\nscript: [{patch: "
            "{name: web, json: [{op: add, pth: /data/a, value: b}]}}]\n",
     "f:6:47: unknown key 'pth' in an operation of a JSON patch", "did you mean \"path\"?"},
    {"no_path_in_a_patch",
     head + "server: {objects: [web]}\nclients: [{name: app, kind: informer}]\nscript: [{patch: "
            "{name: web, json: [{op: add, value: b}]}}]\n",
     "f:6:37: an operation of a JSON patch without 'path'", "'path: /data/color'"},
    {"no_operation_in_a_patch",
     head + "server: {objects: [web]}\nclients: [{name: app, kind: informer}]\nscript: [{patch: "
            "{name: web, json: [{path: /data/a, value: b}]}}]\n",
     "f:6:37: an operation of a JSON patch without 'op'", "'op: add'"},
    {"no_value_in_a_patch",
     head + "server: {objects: [web]}\nclients: [{name: app, kind: informer}]\nscript: [{patch: "
            "{name: web, json: [{op: add, path: /data/a}]}}]\n",
     "f:6:38: 'op: add' without 'value'", "'value: ...' beside it"},
    {"no_from_in_a_patch",
     head + "server: {objects: [web]}\nclients: [{name: app, kind: informer}]\nscript: [{patch: "
            "{name: web, json: [{op: move, path: /data/a, value: /data/b}]}}]\n",
     "f:6:38: 'op: move' without 'from'", "'from: /data/a' beside it"},
    {"pointer_without_a_slash",
     head + "server: {objects: [web]}\nclients: [{name: app, kind: informer}]\nscript: [{patch: "
            "{name: web, json: [{op: remove, path: data/a}]}}]\n",
     "f:6:56: 'data/a' is not a JSON pointer", "did you mean \"/data/a\"?"},
    {"pointer_with_dots",
     head + "server: {objects: [web]}\nclients: [{name: app, kind: informer}]\nscript: [{patch: "
            "{name: web, json: [{op: copy, from: .data.a, path: /data/b}]}}]\n",
     "f:6:54: '.data.a' is not a JSON pointer", "did you mean \"/data/a\"?"},
    {"pointer_with_a_tilde",
     head + "server: {objects: [web]}\nclients: [{name: app, kind: informer}]\nscript: [{patch: "
            "{name: web, json: [{op: remove, path: /data/a~b}]}}]\n",
     "f:6:56: '/data/a~b' is not a JSON pointer", "did you mean \"/data/a~0b\"?"},
    {"operation_as_a_key",
     head + "server: {objects: [web]}\nclients: [{name: app, kind: informer}]\nscript: [{patch: "
            "{name: web, json: [{replace: /data/a, value: b}]}}]\n",
     "f:6:38: 'replace' as a key in an operation of a JSON patch, where it is a value of 'op'",
     "'op: replace'"},
    {"operations_without_a_list",
     head + "server: {objects: [web]}\nclients: [{name: app, kind: informer}]\nscript: [{patch: "
            "{name: web, json: {op: add, path: /data/a, value: b}}}]\n",
     "f:6:36: a mapping where a JSON patch belongs", "[ and ] around it"},
    {"operation_as_words",
     head + "server: {objects: [web]}\nclients: [{name: app, kind: informer}]\nscript: [{patch: "
            "{name: web, json: [remove /data/a]}}]\n",
     "f:6:37: 'remove /data/a' where an operation of a JSON patch belongs",
     "'op: ...' and 'path: /data/color'"},
    {"two_times", head + kClients + "script: [{at: 1s, after: 1s, create: a}]\n",
     "f:5:19: a step with 'at' and 'after'", "one of at or after"},
    {"run_of_an_informer", head + "clients: [{name: app, kind: informer, run: [ls]}]\n",
     "f:4:39: something to run of the client 'app'", "only of a client of the kind go"},
    {"handlers_of_a_program",
     head + "clients:\n  - name: app\n    kind: program\n    handlers: [{name: h}]\n",
     "f:7:5: handlers of a program", "handlers only of an informer"},
    {"resync_of_a_handler",
     head + "clients: [{name: app, kind: informer, handlers: [{name: h, resync: 1s}]}]\n",
     "f:4:60: a handler with a resync", "these only of a shared informer"},
    {"resync_of_go", head + "clients: [{name: app, kind: go, run: [x], resync: 1s}]\n",
     "f:4:43: a setting of 'app' that only a client of ours has", "name, kind, run"},
    {"data_of_a_tilde",
     head + "server: {objects: [{name: a, data: ~}]}\nclients: [{name: app, kind: informer}]\n",
     "f:4:36: nothing where data belong", "keys with texts"},
    {"data_of_null",
     head + kClients + "script:\n  - create:\n      name: a\n      data:\n        null\n",
     "f:9:9: nothing where data belong", "keys with texts"},
    {"tilde_in_a_list", head + "clients:\n  - ~\n", "f:5:5: nothing where a client belongs",
     "'name: ...'"},
    {"waiver_as_a_word", head + kClients + "waived: [stores_converge]\n",
     "f:5:10: 'stores_converge' where a waiver belongs",
     "'invariant: stores_converge' and 'because: an event is dropped on purpose'"},
    {"waiver_by_its_name", head + kClients + "waived: [{stores_converge: it is slow}]\n",
     "f:5:11: 'stores_converge' as a key in a waiver, where it is a value of 'invariant'",
     "'invariant: stores_converge'"},
    {"waiver_without_a_reason", head + kClients + "waived: [{invariant: stores_converge}]\n",
     "f:5:10: a waiver without 'because'", "'because: an event is dropped on purpose'"},
    {"waiver_with_an_empty_reason",
     head + kClients + "waived: [{invariant: stores_converge, because: \"\"}]\n",
     "f:5:48: an empty reason", "why the invariant is not true"},
    {"heal_of_nothing", head + kClients + "script:\n  - at: 5s\n    heal:\n",
     "f:7:5: nothing where the name of a fault belongs", "the name of a fault behind the ':'"},
    {"heal_without_a_fault", head + kClients + "script: [{heal: cut}]\n",
     "f:5:17: unknown fault 'cut'", "a fault that a step before injects, as 'fault: cut_watch'"},
    {"handled_of_a_client",
     head + kClients + "script: [{create: a}]\nuntil: {handled: {of: app, count: 1}}\n",
     "f:6:23: unknown handler 'app'", "'handlers: [{name: h}]' gives the client 'app' one"},
    {"duration_for_details", head + kClients + "script:\n  - fault: {delay: 1s}\n",
     "f:6:20: '1s' where delay belongs", "'by: 1s'"},
    {"other_word_for_a_duration",
     head + kClients + "script:\n  - fault: {stall_watch: {for: 1s}}\n",
     "f:6:27: unknown key 'for' in stall_watch", "did you mean \"span\"?"},
    {"delay_for_a_duration", head + kClients + "script:\n  - fault: {stall_watch: {delay: 1s}}\n",
     "f:6:27: unknown key 'delay' in stall_watch", "did you mean \"span\"?"},
    {"latency_of_a_fault", head + kClients + "script:\n  - fault: {delay: {latency: 1s}}\n",
     "f:6:21: unknown key 'latency' in delay", "did you mean \"by\"?"},
    {"delay_of_a_handler",
     head + "clients: [{name: app, kind: informer, handlers: [{name: h, delay: 1s}]}]\n",
     "f:4:60: unknown key 'delay' in a handler", "did you mean \"takes\"?"},
    {"latency_of_a_replica", head + "server: {replicas: [{latency: 1s}]}\n" + kClients,
     "f:4:22: unknown key 'latency' in a replica", "did you mean \"lag\"?"},
    {"delay_of_a_step", head + kClients + "script: [{delay: 1s, create: a}]\n",
     "f:5:11: unknown key 'delay' in a step", "did you mean \"after\"?"},
    {"duration_without_its_last_unit", head + kClients + "script: [{at: 1h30, create: a}]\n",
     "f:5:15: '1h30' is not a duration", "1h30m is 90m; did you mean \"90m\"?"},
    {"time_in_an_ending", head + kClients + "until: {at: 5s}\n",
     "f:5:9: 'at: 5s' where an ending belongs", "'5s' alone, without 'at:'"},
    {"time_in_a_delay",
     head + kClients + "expect: [{requests: {exactly: [LIST: {delay: {by: 5s}}]}}]\n",
     "f:5:47: 'by: 5s' where a delay class belongs", "'5s' alone"},
    {"numbers_for_bullets", head + "clients:\n  1. name: app\n     kind: informer\n",
     "f:5:3: a '1.', which begins no entry of a list", "'- '"},
    {"a_number_for_a_bullet", head + kClients + "script:\n  1) create: a\n",
     "f:6:3: a mapping where a list of steps belongs", "'- ' in place of '1)'"},
    {"namespace_in_a_name", head + kClients + "script: [{create: prod/web}]\n",
     "f:5:19: 'prod/web' is not a valid name of a ConfigMap", "{name: web, namespace: prod}"},
    {"namespace_in_a_changed_name",
     head + kClients + "script: [{update: {name: prod/web, data: {a: b}}}]\n",
     "f:5:26: 'prod/web' is not a valid name of a ConfigMap", "{name: web, namespace: prod}"},
    {"namespace_in_an_expected_name",
     head + "server: {namespaces: [prod], objects: [{name: web, namespace: prod}]}\n" + kClients +
         "expect: [{store: {exactly: [prod/web]}}]\n",
     "f:6:29: 'prod/web', a namespace and a name", "{name: web, namespace: prod}"},
    {"handled_without_a_count", head + kClients + "until: {handled: {of: app}}\n",
     "f:5:18: a number of handler calls without 'count'", "'count: 1'"},
};

struct Written {
  std::string duration;
  std::string meant;
};

/// As people write durations, and what they mean.
const std::vector<Written> durations{
    {"+5s", "5s"},        {"1e3s", "1000s"},   {"1_000ms", "1000ms"}, {"5S", "5s"},
    {"\"5 MS\"", "5ms"},  {"5\u00b5s", "5us"}, {"1w", "7d"},          {"1:30", "90s"},
    {"PT5S", "5s"},       {"1,5s", "1.5s"},    {"\"5s,\"", "5s"},     {"1m30s", "90s"},
    {"30 seconds", "30s"}};

}  // namespace

BOOST_DATA_TEST_CASE(a_mistake_has_one_message_with_its_place_and_its_cure, mistakes, each) {
  check(each);
}

BOOST_AUTO_TEST_CASE(a_duration_has_one_message_with_what_is_meant) {
  for (const Written& each : durations) {
    const std::vector<Problem> found =
        parse_scenario(head + kClients + "script:\n  - at: " + each.duration + "\n    create: a\n")
            .problems;
    BOOST_TEST_REQUIRE(found.size() == 1U, each.duration);
    BOOST_TEST(found.front().nearest == each.meant, describe("f", found.front()));
  }
}

/// Each of these is a number, a truth value, a date or nothing for one reader of YAML or another.
const std::vector<std::string> no_texts{"12",
                                        "+1",
                                        "-1",
                                        "1_000",
                                        "0x1f",
                                        "0o17",
                                        "017",
                                        "0b11",
                                        "1.5",
                                        ".5",
                                        "5.",
                                        "1e3",
                                        "+.5",
                                        ".inf",
                                        "-.Inf",
                                        ".NaN",
                                        "yes",
                                        "Off",
                                        "TRUE",
                                        "1:30",
                                        "190:20:30",
                                        "2001-12-14",
                                        "2001-12-14T21:59:43Z",
                                        "=",
                                        "1_0.5"};
/// And none of these.
const std::vector<std::string> texts{"inf", "nan", "1h30", "1.2.3", "10.0.0.1",   "0x",
                                     "0o8", "12a", "a:b",  "1:99",  "y",          "n",
                                     "v1",  "_1",  "e3",   "1-2-3", "2001-12-1x", "."};

BOOST_AUTO_TEST_CASE(what_a_reader_of_yaml_takes_for_something_else_needs_quotes) {
  const auto story = [](const std::string& value, const std::string& where) {
    const std::string content = "{b: " + value + "}";
    return head + kClients + "server: {objects: [{name: a, " + where + ": " +
           (where == "body" ? "{data: " + content + "}" : content) + "}]}\n";
  };
  for (const std::string& each : no_texts) {
    const auto found = parse_scenario(story(each, "data")).problems;
    BOOST_TEST_REQUIRE(found.size() == 1U, each);
    BOOST_TEST(describe("f", found.front()) ==
               "f:5:40: " + each + " without quotes is no text; expected \"" + each + "\"");
    BOOST_TEST(parse_scenario(story("\"" + each + "\"", "data")).problems.empty(), each);
  }
  for (const std::string& each : texts) {
    BOOST_TEST(parse_scenario(story(each, "data")).problems.empty(), each);
    BOOST_TEST(parse_scenario(story(each, "body")).problems.empty(), each);
  }
  for (const std::string each :
       {"0x1f", "1_000", "+1", "0o7", ".inf", "True", "off", "2001-12-14"}) {
    const auto found = parse_scenario(story(each, "body")).problems;
    BOOST_TEST_REQUIRE(found.size() == 1U, each);
    BOOST_TEST(found.front().what == each + " without quotes is no text");
  }
}

BOOST_AUTO_TEST_SUITE_END()
