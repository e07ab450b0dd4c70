// Brackets, quotes, indentation and signs that people type wrong, and what they are told: written
// down before the messages were.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "tests/scenarios/language/told_mistake.hpp"

using namespace watchlab::scenarios;
using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(yaml_mistake_test)

namespace {

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
    {"story_with_colon",
     "apiVersion: watchlab/v1\n"
     "name: demo\n"
     "story: Two things: one and two.\n",
     "f:3:18: a second ': ' in one line",
     "the text in quotes, or '|' and the text in lines of its own"},
    {"no_break_space_behind_colon", head + "server:\u00a0{objects: [demo]}\n",
     "f:4:8: a no-break space", "a space"},
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
    {"a_fence_of_markdown", "```yaml\n" + head + kClients + "```\n",
     "f:1:1: '```', a line of Markdown", "the lines of YAML alone"},
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
    {"comment_of_an_ini_file", head + kClients + "; remark\n",
     "f:5:1: ';', which begins no comment", "'#'"},
    {"text_behind_a_bracket",
     "apiVersion: watchlab/v1\nname: demo\nstory: [WIP] a demo\n" + kClients,
     "f:3:14: 'a' behind the ']' that ends the value", "a text that begins with '['"},
    {"text_behind_an_arrow", "apiVersion: watchlab/v1\nname: demo\nstory: > 5 times\n" + kClients,
     "f:3:10: '5' behind a '|' or '>'", "or quotes around a text that begins so"},
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
    {"star_before_a_brace", head + "clients:\n  * {name: app, kind: informer}\n",
     "f:5:3: a '*', which begins no entry of a list", "'- '"},
    {"comment_behind_a_brace", head + "clients: [{name: app, kind: informer}]#c\n",
     "f:4:39: a '#' directly behind ']'", "a space before the '#'"},
    {"comment_behind_a_brace_of_a_step", head + kClients + "script:\n  - {create: a}#c\n",
     "f:6:16: a '#' directly behind '}'", "a space before the '#'"},
    {"comment_behind_a_quote", head + kClients + "within: \"5s\"#c\n",
     "f:5:13: a '#' directly behind '\"'", "a space before the '#'"},
    {"comment_behind_a_comma", head + "clients: [{name: app,#c\n  kind: informer}]\n",
     "f:4:22: a '#' directly behind ','", "a space before the '#'"},
    {"comment_behind_an_arrow",
     "apiVersion: watchlab/v1\nname: demo\nstory: |#c\n  A demo.\nclients: [{name: app, kind: "
     "informer}]\n",
     "f:3:9: a '#' directly behind '|'", "a space before the '#'"},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_mistake_has_one_message_with_its_place_and_its_cure, mistakes, each) {
  check(each);
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
