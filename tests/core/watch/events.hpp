#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/options.hpp"
#include "core/watch/watch.hpp"

namespace watchlab::tests {

/// An object of no particular kind.
api::ObjectPtr object(std::string_view name, std::string_view resource_version = "1");

/// The answer to a list.
api::ObjectList list_of(std::string_view resource_version, std::vector<api::ObjectPtr> items);

watch::Event event(watch::EventType type, std::string_view name,
                   std::string_view resource_version = "1");
watch::Event added(std::string_view name, std::string_view resource_version = "1");
watch::Event modified(std::string_view name, std::string_view resource_version = "1");
watch::Event deleted(std::string_view name, std::string_view resource_version = "1");
watch::Event failed(api::Status status);

/// "ADDED pod@7"; "ERROR 410" for a Status.
std::string text_of(const watch::Event& event);
/// Waits for one event and describes it; "closed" when there is none to come.
std::string next(const watch::Watcher& watcher);
/// Waits for one event, which must be an Error with this whole Status and no object.
void expect_error(const watch::Watcher& watcher, const api::Status& status,
                  runtime::Location here = runtime::Location::current());
/// Reads until the channel is closed, and describes the events, separated by commas.
std::string read_all(runtime::Channel<watch::Event> events);

}  // namespace watchlab::tests
