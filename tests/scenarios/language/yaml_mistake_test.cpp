// What people type wrong, and what they are told: written down before the messages were.
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "scenarios/language/parse.hpp"

using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(yaml_mistake_test)

namespace {

struct Mistake {
  std::string name;
  std::string text;
  std::string what;  ///< the place and what is wrong there
  std::string cure;  ///< a part of what follows
};
std::ostream& operator<<(std::ostream& out, const Mistake& each) { return out << each.name; }

const std::string head = "apiVersion: watchlab/v1\nname: demo\nstory: A demo.\n";

const std::string kClients = "clients: [{name: app, kind: informer}]\n";

const std::vector<Mistake> mistakes{
    {"tab_indent",
     head + "server:\n"
            "\tobjects: [demo]\n",
     "f:5:1: a tab cannot indent", "spaces"},
    {"tab_indent_deep",
     head + "clients:\n"
            "  - name: app\n"
            "\t  kind: informer\n",
     "f:6:1: a tab cannot indent", "spaces"},
    {"brace_missing",
     head + "server: {objects: [demo]\n"
            "clients:\n"
            "  - {name: app, kind: informer}\n",
     "f:4:25: '}' is missing for '{' of line 4", "'}' here or earlier"},
    {"brace_missing_step",
     head + "clients:\n"
            "  - {name: app, kind: informer}\n"
            "script:\n"
            "  - {at: 5s, update: {name: demo, data: {a: b}}\n"
            "  - {at: 6s, delete: demo}\n"
            "expect:\n"
            "  - store: {exactly: []}\n",
     "f:7:48: '}' is missing for '{' of line 7", "'}' here or earlier"},
    {"bracket_missing", head + "server: {objects: [demo}\n",
     "f:4:24: ']' is missing for '[' of line 4", "']' here or earlier"},
    {"brace_too_many", head + "server: {objects: [demo]}}\n", "f:4:26: '}' without a '{' before it",
     "the same line without it"},
    {"quote_missing",
     head + "server: {objects: [{name: web, data: {replicas: \"2}}]}\n"
            "clients:\n"
            "  - {name: app, kind: informer}\n",
     "f:4:49: a quote (\") that is not closed", "another \" at the end of the text"},
    {"single_quote_missing",
     head + "server:\n"
            "  objects:\n"
            "    - name: 'web\n"
            "      data: {a: b}\n",
     "f:6:13: a quote (') that is not closed", "another ' at the end of the text"},
    {"indent_less",
     head + "clients:\n"
            "  - name: app\n"
            "   kind: informer\n",
     "f:6:4: 'kind' has 3 spaces before it, which matches no line above",
     "4 spaces before it, as 'name' in line 5 has"},
    {"indent_more",
     head + "clients:\n"
            "  - name: app\n"
            "      kind: informer\n",
     "f:6:7: 'kind' is indented deeper than 'name' in line 5, which has a value already",
     "4 spaces before it"},
    {"dash_missing_space",
     head + "clients:\n"
            "  -name: app\n"
            "   kind: informer\n",
     "f:5:3: a '-' without a space behind it", "'- '"},
    {"colon_missing_space",
     head + "clients:\n"
            "  - {name:app, kind: informer}\n",
     "f:5:6: 'name:app' in a client", "a ':' and a space, as in 'name: app'"},
    {"colon_missing_space_block",
     head + "clients:\n"
            "  - name:app\n"
            "    kind: informer\n",
     "f:5:9: 'name:app' without a space behind its ':'", "'name: app'"},
    {"duplicate_key",
     head + "server: {objects: [demo]}\n"
            "clients:\n"
            "  - {name: app, kind: informer}\n"
            "server: {rv_as: x}\n",
     "f:7:1: the key 'server' for the second time", "each key once; its first value is on line 4"},
    {"duplicate_key_inner",
     head + "clients:\n"
            "  - {name: app, kind: informer, name: b}\n",
     "f:5:33: the key 'name' for the second time", "each key once; its first value is on line 5"},
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
    {"unicode_quotes", head + "server: {objects: [{name: web, data: {replicas: “2”}}]}\n",
     "f:4:49: the typographic quote '“'", "the quote '\"'"},
    {"unicode_quotes_name",
     head + "clients:\n"
            "  - {name: “app”, kind: informer}\n",
     "f:5:12: the typographic quote '“'", "the quote '\"'"},
    {"trailing_colon", head + "server: {objects: [demo]}:\n",
     "f:4:26: ':' behind the '}' that ends the value", "nothing behind it"},
    {"trailing_colon_value",
     head + "clients:\n"
            "  - name: app:\n"
            "    kind: informer\n",
     "f:5:14: a ':' behind a value", "no ':' at the end"},
    {"alias_unknown", head + "server: {objects: [*web]}\n",
     "f:4:20: a '*' that begins an alias or anchor, which scenarios do without",
     "quotes around a text with * or &"},
    {"anchor_merge", head + "server: {objects: [&a {name: web}, {<<: *a, name: web2}]}\n",
     "f:4:20: an anchor", "the value alone: scenarios do without anchors and aliases"},
    {"empty", "", "f:1:1: the file is empty",
     "a scenario that begins with 'apiVersion: watchlab/v1'"},
    {"only_comment", "# nothing here yet\n", "f:1:1: the file is empty",
     "a scenario that begins with 'apiVersion: watchlab/v1'"},
    {"two_documents", head + "---\n" + head, "f:4:1: a second document in the same file",
     "one scenario a file"},
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
    {"story_with_colon",
     "apiVersion: watchlab/v1\n"
     "name: demo\n"
     "story: Two things: one and two.\n",
     "f:3:18: a second ': ' in one line",
     "the text in quotes, or '|' and the text in lines of its own"},
    {"hash_in_text",
     head + "clients:\n"
            "  - {name: app #1, kind: informer}\n",
     "f:5:35: '}' is missing for '{' of line 5",
     "'}' before the ' #', which begins a comment; a text with # stands in quotes"},
    {"at_sign",
     head + "clients:\n"
            "  - {name: @app, kind: informer}\n",
     "f:5:12: a text cannot begin with '@'", "quotes: \"@app\""},
    {"percent",
     head + "clients:\n"
            "  - {name: %app, kind: informer}\n",
     "f:5:12: a text cannot begin with '%'", "quotes: \"%app\""},
    {"backtick",
     head + "clients:\n"
            "  - {name: `app`, kind: informer}\n",
     "f:5:12: a text cannot begin with '`'", "quotes: \"`app`\""},
    {"star",
     head + "expect:\n"
            "  - notes: {never: [* stranded]}\n",
     "f:5:21: a '*' that begins an alias or anchor, which scenarios do without",
     "quotes around a text with * or &"},
    {"bom_nbsp",
     head + "clients:\n"
            "  - {name: app, kind: informer}\n",
     "f:5:1: a no-break space", "a space"},
    {"comma_missing",
     head + "clients:\n"
            "  - {name: app kind: informer}\n",
     "f:5:16: no ',' before 'kind'", "a ',' between two entries"},
    {"comma_double",
     head + "clients:\n"
            "  - {name: app,, kind: informer}\n",
     "f:5:16: nothing between two commas", "one ',' between two entries"},
    {"semicolon",
     head + "clients:\n"
            "  - {name: app; kind: informer}\n",
     "f:5:15: a ';' between two entries", "','"},
    {"equals",
     head + "clients:\n"
            "  - {name=app, kind: informer}\n",
     "f:5:6: 'name=app' in a client", "a ':' and a space, as in 'name: app'"},
    {"escape_bad", head + "server: {objects: [{name: web, data: {a: \"C:\\pods\"}}]}\n",
     "f:4:47: the unknown escape '\\p' in double quotes",
     "'\\\\' for a backslash, or single quotes"},
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
    {"missing_brace_multiline",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\n  Two lines.\n  It's here.\nclients:\n  - "
     "{name: app, kind: informer}\nscript:\n  - at: 5s\n    update: {name: demo,\n             "
     "data: {a: b}\n  - at: 6s\n    delete: demo\n",
     "f:11:26: '}' is missing for '{' of line 10", "'}' here or earlier"},
    {"bracket_list",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\n  Two lines.\n  It's here.\nclients:\n  - "
     "{name: app, kind: informer}\nexpect:\n  - handler: {exactly: [add: demo, delete: demo}\n",
     "f:9:48: ']' is missing for '[' of line 9", "']' here or earlier"},
    {"bracket_eof",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\n  Two lines.\n  It's here.\nclients:\n  - "
     "{name: app, kind: informer}\nexpect:\n  - handler: {exactly: [add: demo, delete: demo]\n",
     "f:9:49: '}' is missing for '{' of line 9", "'}' here or earlier"},
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
    {"unicode_quote_at_the_end", head + "clients:\n  - {name: app\u201d, kind: informer}\n",
     "f:5:15: the typographic quote '\u201d'", "the quote '\"'"},
    {"guillemet_at_the_end", head + "clients:\n  - {name: app\u00bb, kind: informer}\n",
     "f:5:15: the typographic quote '\u00bb'", "the quote '\"'"},
    {"unicode_quote_for_the_second", head + "clients:\n  - {name: \"app\u201d, kind: informer}\n",
     "f:5:16: the typographic quote '\u201d'", "the quote '\"'"},
    {"unicode_quotes_for_the_second",
     head + "clients:\n  - {name: \"app\u201d, kind: \"informer\u201d}\n",
     "f:5:16: the typographic quote '\u201d'", "the quote '\"'"},
    {"unicode_quotes_inside",
     head + "server: {objects: [{name: web, data: {a: \"say \u201chi\u201d now}}]}\n",
     "f:4:42: a quote (\") that is not closed", "another \" at the end of the text"},
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
    {"dash_key_level",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\n  Two lines.\n  It's here.\nclients:\n  - "
     "name: app\n  kind: informer\n",
     "f:8:3: 'kind' beside the '-' of line 7",
     "4 spaces before it, as 'name' in line 7 has, or a '- '"},
    {"indent_mix",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\n  Two lines.\n  It's here.\nclients:\n  - "
     "{name: app, kind: informer}\nscript:\n  - at: 5s\n   create: demo\n",
     "f:10:4: 'create' has 3 spaces before it, which matches no line above",
     "4 spaces before it, as 'at' in line 9 has"},
    {"top_indent",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\n  Two lines.\n  It's here.\n clients:\n  - "
     "{name: app, kind: informer}\n",
     "f:6:2: 'clients' is indented deeper than 'story' in line 3, which has a value already",
     "no space before it"},
    {"story_not_indented",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\nTwo lines.\nMore: here.\nclients:\n  - {name: "
     "app, kind: informer}\n",
     "f:4:1: 'Two' below the key 'story' of line 3, and no key",
     "a ':' behind it, or as many spaces before it as text has"},
    {"story_plain_two",
     "apiVersion: watchlab/v1\nname: demo\nstory: Two lines\nand more.\nclients:\n  - {name: app, "
     "kind: informer}\n",
     "f:4:1: 'and' below the key 'story' of line 3, and no key",
     "a ':' behind it, or as many spaces before it as text has"},
    {"quote_in_quote",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\n  Two lines.\n  It's here.\nclients:\n  - "
     "{name: app, kind: informer}\nexpect:\n  - notes: {never: ['it's bad']}\n",
     "f:9:25: text behind the quote (') that ends here",
     "'' for a quote in the text, or the text in double quotes"},
    {"dquote_in_dquote",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\n  Two lines.\n  It's here.\nserver: {objects: "
     "[{name: web, data: {a: \"say \"hi\"\"}}]}\nclients:\n  - {name: app, kind: informer}\n",
     "f:6:48: text behind the quote (\") that ends here",
     "\\\" for a quote in the text, or the text in single quotes"},
    {"fullwidth_colon",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\n  Two lines.\n  It's here.\nclients：\n  - "
     "{name: app, kind: informer}\n",
     "f:6:8: the full-width colon '：'", "':' and a space"},
    {"fullwidth_comma",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\n  Two lines.\n  It's here.\nclients:\n  - "
     "{name: app，kind: informer}\n",
     "f:7:15: the full-width comma '，'", "','"},
    {"dash_en",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\n  Two lines.\n  It's here.\nclients:\n  – "
     "{name: app, kind: informer}\n",
     "f:7:3: the dash '–'", "'-' and a space"},
    {"json_comment",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\n  Two lines.\n  It's here.\n// "
     "comment\nclients:\n  - {name: app, kind: informer}\n",
     "f:6:1: '//', which begins no comment", "'#'"},
    {"missing_colon",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\n  Two lines.\n  It's here.\nclients\n  - "
     "{name: app, kind: informer}\n",
     "f:6:1: 'clients' below the key 'story' of line 3, and no key",
     "'clients:', or as many spaces before it as text has"},
    {"list_root", "- name: demo\n", "f:1:1: the file has no keys",
     "a scenario that begins with 'apiVersion: watchlab/v1'"},
    {"text_root", "hello world\n", "f:1:1: the file has no keys",
     "a scenario that begins with 'apiVersion: watchlab/v1'"},
    {"json",
     "{\"apiVersion\": \"watchlab/v1\", \"name\": \"demo\", \"story\": \"x\", \"clients\": "
     "[{\"name\": \"app\", \"kind\": \"informer\"}]\n",
     "f:1:109: '}' is missing for '{' of line 1", "'}' here or earlier"},
    {"unquoted_star",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\n  Two lines.\n  It's here.\nclients:\n  - "
     "{name: app, kind: informer}\nexpect:\n  - notes: [* stranded]\n",
     "f:9:13: a '*' that begins an alias or anchor, which scenarios do without",
     "quotes around a text with * or &"},
    {"extra_bracket",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\n  Two lines.\n  It's here.\nclients:\n  - "
     "{name: app, kind: informer}\nexpect:\n  - store: {exactly: [demo]]}\n",
     "f:9:28: ']' without a '[' before it", "the same line without it"},
    {"brace_missing_before_a_key",
     head + "clients:\n"
            "  - {name: app, kind: informer}\n"
            "script:\n"
            "  - when: {watching: app\n"
            "    after: 2s\n"
            "    create: demo\n"
            "until: quiet\n",
     "f:7:25: '}' is missing for '{' of line 7", "'}' here or earlier"},
    {"colon_without_a_space",
     head + "script:\n"
            "  - when: {watching: app}\n"
            "    after:2s\n"
            "    create: demo\n",
     "f:6:10: 'after:2s' without a space behind its ':'", "'after: 2s'"},
    {"no_break_space_behind_a_colon",
     head + "script:\n"
            "  - when: {watching: app}\n"
            "    after:\u00a02s\n"
            "    create: demo\n",
     "f:6:11: a no-break space", "a space"},
    {"two_dashes",
     head + "script:\n"
            "  -- at: 2s\n"
            "     create: demo\n",
     "f:5:3: '--', which begins nothing", "'- ' for an entry of a list"},
    {"latin1", "apiVersion: watchlab/v1\nname: demo\nstory: A demo. caf\xe9\n",
     "f:3:19: the byte 0xe9, which belongs to no character", "a file in UTF-8"},
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
     "f:4:11: a pause of an informer", "'handlers: [{name: slow, takes: 1s}]'"},
    {"takes_of_an_informer", head + "clients: [{name: app, kind: informer, takes: 1s}]\n",
     "f:4:11: work of a client that has no workers", "'handlers: [{name: slow, takes: 1s}]'"},
    {"dedented_key", head + "clients:\n  - name: app\nkind: informer\n",
     "f:6:1: 'kind', a key of a client, in a scenario",
     "4 spaces before it, as 'name' in line 5 has"},
    {"dedented_mapping", head + "server:\nobjects: [a]\nnamespaces: [b]\n" + kClients,
     "f:5:1: 'objects', a key of a server, in a scenario",
     "more spaces before it than 'server' in line 4 has"},
    {"dedented_action", head + kClients + "script:\n  - create:\n    name: a\n    data: {x: y}\n",
     "f:7:5: 'name', a key of an object, in a step",
     "more spaces before it than 'create' in line 6 has"},
    {"dedented_fault", head + kClients + "script:\n  - fault:\n    delay: {by: 1s}\n",
     "f:7:5: 'delay', a key of a fault, in a step",
     "more spaces before it than 'fault' in line 6 has"},
    {"dedented_condition", head + kClients + "until:\nhandled: {count: 1}\n",
     "f:6:1: 'handled', a key of a condition, in a scenario",
     "more spaces before it than 'until' in line 5 has"},
    {"dedented_dash", head + "server:\n  objects:\n- a\n" + kClients,
     "f:6:1: a '-' beside the key 'server' of line 4",
     "2 spaces before it or more, for a list of 'objects' in line 5"},
    {"two_keys_in_a_line", head + "server: objects: [a]\n" + kClients,
     "f:4:16: a second ': ' in one line",
     "if 'objects' is a key, a line of its own for it, with more spaces before it"},
    {"two_keys_in_a_line_of_a_step", head + kClients + "script:\n  - at: 5s create: a\n",
     "f:6:18: a second ': ' in one line", "if 'create' is a key, a line of its own for it"},
    {"a_colon_in_a_text", "apiVersion: watchlab/v1\nname: demo\nstory: It's: a story.\n" + kClients,
     "f:3:12: a second ': ' in one line", "and the text in lines of its own"},
    {"no_colon_in_the_last_line", head + "clients:\n  - name: app\n    kind informer\n",
     "f:6:5: 'kind informer' in a client", "'kind: informer'"},
    {"no_colon_in_the_middle",
     head + "clients:\n  - name: app\n    kind informer\n    resync: 2s\n",
     "f:6:5: 'kind informer' without a ':'", "'kind: informer', or as many spaces"},
    {"no_colon_behind_a_dash", head + "clients:\n  - name app\n    kind: informer\n",
     "f:5:5: 'name app' above the key 'kind', and no key", "'name: app'"},
    {"equals_behind_a_dash", head + kClients + "script:\n  - at = 5s\n    create: a\n",
     "f:6:5: 'at = 5s' above the key 'create', and no key", "'at: 5s'"},
    {"no_colon_in_the_first_line", "apiVersion watchlab/v1\nname: demo\nstory: S.\n" + kClients,
     "f:1:1: 'apiVersion watchlab/v1' above the key 'name', and no key",
     "'apiVersion: watchlab/v1'"},
    {"no_colon_alone", head + kClients + "script: [create a]\n",
     "f:5:10: 'create a' where a step belongs", "'create: a'"},
    {"no_colon_before_a_brace", head + kClients + "until:\n  handled {count: 1}\n",
     "f:6:3: 'handled {count' in a condition", "'handled: ...'"},
    {"no_colon_in_labels", head + "server: {objects: [{name: a, labels: {app web}}]}\n" + kClients,
     "f:4:39: 'app web' in labels", "'app: web'"},
    {"two_colons", head + "clients: [{name:: app, kind: informer}]\n",
     "f:4:12: 'name:' in a client", "'name: app'"},
    {"text_that_is_not_indented",
     "apiVersion: watchlab/v1\nname: demo\nstory:\nTwo lines.\n" + kClients,
     "f:4:1: 'Two' in the column of the key 'story' of line 3", "more spaces before it"},
    {"key_between_two_columns", head + "clients:\n  - name: app\n    kind: informer\n resync: 2s\n",
     "f:7:2: 'resync' has one space before it, which matches no line above",
     "4 spaces before it, as 'kind' in line 6 has"},
    {"step_cut_in_two", head + kClients + "script:\n  - at: 5s\n  - create: a\n",
     "f:6:5: a step that says nothing but 'at'", "beside it, in the same entry"},
    {"fault_by_its_name", head + kClients + "script: [{fault: {name: close_watch, times: 1}}]\n",
     "f:5:19: 'name: close_watch' in a fault", "'close_watch' itself as the key"},
    {"list_of_keys", head + "clients: app\n", "f:4:10: 'app' where a list of clients belongs",
     "a list, as in [{name: app}]"},
    {"a_fence_of_markdown", "```yaml\n" + head + kClients + "```\n",
     "f:1:1: '```', a line of Markdown", "the lines of YAML alone"},
    {"a_manifest", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
     "f:2:7: a manifest of the kind 'ConfigMap'", "'apiVersion: watchlab/v1'"},
    {"dash_of_three_spaces",
     head + kClients + "script:\n  - at: 1s\n    create: a\n   - {at: 5s, delete: a}\n",
     "f:8:4: '-' has 3 spaces before it, which matches no line above",
     "2 spaces before it, as the '-' in line 6 has"},
    {"dash_below_the_keys_of_an_entry",
     head + kClients + "script:\n  - at: 1s\n    create: a\n    - at: 5s\n      delete: a\n",
     "f:8:5: a '-' beside the key 'create' of line 7",
     "2 spaces before it, as the '-' in line 6 has"},
    {"wrong_closer", head + kClients + "script:\n  - {at: 1s, create: a]\n",
     "f:6:23: ']' for the '{' of line 6", "expected '}'"},
    {"text_behind_a_quote", head + kClients + "within: \"5s\" now\n",
     "f:5:14: text behind the quote (\") that ends here", "or nothing behind it"},
    {"value_below_its_key", head + kClients + "within:\n5s\n",
     "f:6:1: '5s' in the column of the key 'within' of line 5", "more spaces before it"},
    {"comma_in_a_number", head + kClients + "script:\n  - {at: 1,5s, create: a}\n",
     "f:6:10: '1,5s', with a comma in a number", "'1.5s'"},
    {"comment_of_c", head + kClients + "/* remark */\n", "f:5:1: '/*', which begins no comment",
     "'#'"},
    {"comment_of_cpp_at_the_end", head + kClients + "// remark\n",
     "f:5:1: '//', which begins no comment", "'#'"},
    {"first_line_indented", " " + head + kClients,
     "f:2:1: 'name' has no space before it, which matches no line above",
     "one space before it, as 'apiVersion' in line 1 has"},
    {"merge_conflict",
     head + kClients + "<<<<<<< HEAD\nwithin: 5s\n=======\nwithin: 6s\n>>>>>>> x\n",
     "f:5:1: a line of a merge conflict", "one of the two versions"},
    {"template", head + "clients: [{name: {{ .Values.name }}, kind: informer}]\n",
     "f:4:19: '{ .Values.name }' where a key belongs", "template"},
    {"line_separator", head + "clients:\u2028  - {name: app, kind: informer}\n",
     "f:4:9: a line separator (U+2028)", "a line break"},
    {"carriage_returns_alone", "apiVersion: watchlab/v1\rname: demo\rstory: s\r",
     "f:1:24: a carriage return alone at the end of a line", "line feeds"},
    {"block_indicator",
     "apiVersion: watchlab/v1\nname: demo\nstory: |x\n  Two lines.\n  It's here.\nclients:\n  - "
     "{name: app, kind: informer}\n",
     "f:3:9: 'x' behind a '|' or '>'", "the text in the lines below, each indented"},
    {"step_as_a_list", head + kClients + "script:\n  - [create, x]\n",
     "f:6:5: a list where a step belongs", "'create: x', and no list"},
    {"step_as_words_of_a_list", head + kClients + "script: [delete, x]\n",
     "f:5:10: 'delete' where a step belongs", "'delete: ...'"},
    {"brackets_as_a_key", head + kClients + "script:\n  - [create, x]: y\n",
     "f:6:5: '[create, x]' where a key belongs", "as in 'create: x'"},
    {"braces_as_a_key", head + kClients + "script:\n  - {delete: demo}: x\n",
     "f:6:5: '{delete: demo}' where a key belongs", "as in 'delete: demo'"},
    {"brackets_below_a_key", head + kClients + "script:\n  - create: demo\n    [create, x]\n",
     "f:7:5: '[create, x]' where a key belongs", "'create: x'"},
    {"braces_below_a_key", head + kClients + "script:\n  - create: demo\n    {delete: demo}\n",
     "f:7:5: '{delete: demo}' where a key belongs", "'delete: demo'"},
    {"quotes_without_a_colon", head + kClients + "script:\n  - \"create\" x\n",
     "f:6:14: no ':' behind the key \"create\"", "'\"create\": x'"},
    {"quotes_without_a_colon_at_the_top", head + kClients + "\"script\" [{create: demo}]\n",
     "f:5:1: '\"script\"' where a key belongs", "'script: ...'"},
    {"quotes_without_a_colon_in_json",
     "{\"apiVersion\": \"watchlab/v1\", \"name\" \"demo\", \"story\": \"A.\"}\n",
     "f:1:38: no ':' behind the key \"name\"", "'\"name\": \"demo\"'"},
    {"equals_in_json", "{\"apiVersion\": \"watchlab/v1\", \"name\"= \"demo\", \"story\": \"A.\"}\n",
     "f:1:37: no ':' behind the key \"name\"", "'\"name\": \"demo\"'"},
    {"anchor_of_nothing",
     head + "clients:\n  - name: app\n    handlers:\n      - name: &h\n      - name: *h\n",
     "f:7:15: an anchor, '&h'", "the value, which is missing"},
    {"merged_keys", head + "clients:\n  - <<: {kind: informer}\n    name: app\n",
     "f:5:5: '<<', which merges another mapping", "its keys written out"},
    {"alias_of_an_object", head + kClients + "script:\n  - create: *demo\n",
     "f:6:13: a '*' that begins an alias or anchor", "a text with * or &: \"*demo\""},
    {"text_in_stars", "apiVersion: watchlab/v1\nname: demo\nstory: *very* new\n" + kClients,
     "f:3:8: a '*' that begins an alias or anchor", "\"*very* new\""},
    {"tag_of_yaml", head + kClients + "script:\n  - create: !!str demo\n",
     "f:6:13: the tag '!!str'", "the value alone"},
    {"text_behind_a_mark", "apiVersion: watchlab/v1\nname: demo\nstory: !important\n" + kClients,
     "f:3:8: the tag '!important'", "quotes around a text that begins with '!'"},
    {"mark_alone", head + kClients + "script: !\n", "f:5:9: the tag '!'", "the value alone"},
    {"directive", "%YAML 3.0\n---\n" + head + kClients, "f:1:1: a line that begins with '%'",
     "no such line"},
    {"indented_beginning", " ---\n" + head + kClients, "f:1:2: '---' with one space before it",
     "'---' in the first column"},
    {"end_and_more", head + "...\n" + kClients, "f:5:1: a second document", "without a '---'"},
    {"tab_behind_a_dash", head + "clients:\n  -\tname: app\n    kind: informer\n",
     "f:5:4: a tab behind a '-'", "a space"},
    {"tab_alone", head + "\t\n" + kClients, "f:4:1: a tab cannot indent", "in a blank line"},
    {"blank_line_that_is_too_wide",
     "apiVersion: watchlab/v1\nname: demo\nstory: |\n      \n  More.\n" + kClients,
     "f:4:7: a blank line with more spaces than the text below it", "an empty line"},
    {"block_of_no_spaces", "apiVersion: watchlab/v1\nname: demo\nstory: |0\n  A.\n" + kClients,
     "f:3:9: a '0' behind a '|'", "'|' alone"},
    {"text_below_a_remark",
     "apiVersion: watchlab/v1\nname: demo\nstory: A # really\n  long one.\n" + kClients,
     "f:4:3: text below the '#' of line 3", "quotes around a text with ' #'"},
    {"escape_of_two_digits", "apiVersion: watchlab/v1\nname: demo\nstory: \"A \\xZZ\"\n" + kClients,
     "f:3:11: the escape '\\x' without 2 digits", "for a backslash, or single quotes"},
    {"escape_of_four_digits",
     "apiVersion: watchlab/v1\nname: demo\nstory: \"A \\u12\"\n" + kClients,
     "f:3:11: the escape '\\u' without 4 digits", "for a backslash, or single quotes"},
    {"question", "apiVersion: watchlab/v1\nname: demo\nstory: ? a demo\n" + kClients,
     "f:3:8: a '?' that begins a key", "quotes around a text that begins with '?'"},
    {"colon_first", head + kClients + "script:\n  - : demo\n", "f:6:5: nothing where a key belongs",
     "a name before the ':'"},
    {"two_colons_before_a_list", head + kClients + "script:: []\n",
     "f:5:1: 'script:' in a scenario", "as in 'script: ...'"},
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
    {"comment_of_an_ini_file", head + kClients + "; remark\n",
     "f:5:1: ';', which begins no comment", "'#'"},
    {"text_behind_a_bracket",
     "apiVersion: watchlab/v1\nname: demo\nstory: [WIP] a demo\n" + kClients,
     "f:3:14: 'a' behind the ']' that ends the value", "a text that begins with '['"},
    {"text_behind_an_arrow", "apiVersion: watchlab/v1\nname: demo\nstory: > 5 times\n" + kClients,
     "f:3:10: '5' behind a '|' or '>'", "or quotes around a text that begins so"},
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
    {"dash_in_brackets", head + kClients + "script: [- create: demo]\n",
     "f:5:10: a '- ' inside of the '['", "no '- ' in brackets"},
    {"no_space_behind_the_colon_of_a_quoted_key",
     head + kClients + "script:\n  - \"delete\":demo\n",
     "f:6:13: no space behind the ':' of the key \"delete\"", "'\"delete\": demo'"},
    {"no_space_behind_the_colon_of_a_key_in_quotes",
     head + "clients:\n  - 'name':app\n    kind: informer\n",
     "f:5:11: no space behind the ':' of the key 'name'", "'name': app"},
    {"no_space_in_the_first_line",
     "apiVersion:watchlab/v1\nname: demo\nstory: A demo.\n" + kClients,
     "f:1:11: 'apiVersion:watchlab/v1' without a space behind its ':'",
     "'apiVersion: watchlab/v1'"},
    {"no_space_anywhere", "apiVersion:watchlab/v1\nname:demo\nstory:A\n",
     "f:1:11: 'apiVersion:watchlab/v1' without a space behind its ':'",
     "'apiVersion: watchlab/v1'"},
    {"no_break_space_behind_the_colon_of_an_entry",
     head + "clients:\n  - name:\u00a0app\n    kind: informer\n", "f:5:10: a no-break space",
     "a space"},
    {"list_below_a_word",
     head + "clients:\n  - {name: app, kind: informer}\nscript\n  - at: 1s\n    create: demo\n",
     "f:6:1: 'script' below the key 'clients' of line 4, and no key",
     "'script:', or as many spaces before it as text has"},
    {"word_in_the_last_line", head + kClients + "script\n",
     "f:5:1: 'script' below the key 'clients' of line 4, and no key",
     "'script:', or as many spaces before it as text has"},
    {"word_in_the_last_line_of_an_entry", head + kClients + "script:\n  - create: demo\n    at\n",
     "f:7:5: 'at' below the key 'create' of line 6", "'at:'"},
    {"arrow_alone", head + kClients + "script:\n  - >\n",
     "f:6:5: an empty text where a step belongs",
     "keys, as in 'create: ...', without '|', '>' or quotes"},
    {"arrow_for_a_colon", head + kClients + "script:\n  - at => 1s\n",
     "f:6:5: 'at => 1s' where a step belongs", "'at: 1s'"},
    {"fault_in_another_order", head + kClients + "script:\n  - fault: watch_cut\n",
     "f:6:12: 'watch_cut' is not a fault", "did you mean \"cut_watch\"?"},
    {"fault_in_other_words", head + kClients + "script:\n  - fault: {watch_drop: {of: app}}\n",
     "f:6:13: unknown key 'watch_drop' in a fault", "did you mean \"cut_watch\"?"},
    {"dash_left_of_its_list",
     head + "clients:\n - name: app\n   kind: informer\n- name: b\n   kind: fifo\n",
     "f:7:1: a '-' beside the key 'clients' of line 4",
     "one space before it, as the '-' in line 5 has"},
    {"list_without_its_key", head + "clients:\n  - name: app\n    kind: informer\n- at: 1s\n",
     "f:7:1: a '-' beside the key 'clients' of line 4", "or a key and a ':' above it"},
    {"bullets", head + "clients:\n  \u2022 name: app\n",
     "f:5:3: a mapping where a list of clients belongs", "'- ' in place of '\u2022'"},
    {"two_dashes_before_a_key", head + kClients + "script:\n  -- at: 1s\n",
     "f:6:3: a mapping where a list of steps belongs", "'- ' in place of '--'"},
    {"star_for_a_dash", head + "clients:\n  * name: app\n",
     "f:5:3: a '*', which begins no entry of a list", "'- '"},
    {"sign_before_a_key", head + "clients:\n  \u2705 name: app\n",
     "f:5:3: a mapping where a list of clients belongs", "'- ' in place of '\u2705'"},
    {"list_in_parentheses", head + "server: {objects: (a, b)}\n" + kClients,
     "f:4:19: a '(' in brackets", "'[' and ']' for a list"},
    {"ini_file", "[scenario]\nname=demo\n", "f:2:1: 'name=demo', and no key", "a ':' behind it"},
    {"brackets_without_a_colon", head + kClients + "expect []\n",
     "f:5:1: 'expect []' in a scenario", "as in 'expect: []'"},
    {"letter_of_another_alphabet", head + "\u0441lients: [{name: app, kind: informer}]\n",
     "f:4:1: unknown key '\u0441lients' in a scenario",
     "did you mean \"clients\"? (its '\u0441' is U+0441)"},
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
  const std::vector<Problem> found = parse_scenario(each.text).problems;
  BOOST_TEST_REQUIRE(found.size() == 1U);
  const std::string message = describe("f", found.front());
  BOOST_TEST(message.starts_with(each.what), message);
  BOOST_TEST(message.find(each.cure, each.what.size()) != std::string::npos, message);
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

BOOST_AUTO_TEST_CASE(what_yaml_takes_is_no_mistake) {
  const std::string text =
      "\ufeffapiVersion: watchlab/v1\r\nname: demo\r\nstory: |\r\n  It's \u201cfine\u201d: a\ttab, "
      "a "
      "{brace and\r\n   - a \"quote.\r\n# 'tis a remark {\r\nclients:\r\n- {name: app,\r\n  kind: "
      "informer}  # } \r\nserver:\r\n  objects:\r\n  - name: web\r\n    data: {a: 'it''s', b: "
      "\"\\\"}\", c: \"two\r\n      lines\"}\r\n";
  const std::vector<Problem> found = parse_scenario(text).problems;
  BOOST_TEST(found.empty(), (found.empty() ? "" : describe("f", found.front())));
}

BOOST_AUTO_TEST_SUITE_END()
